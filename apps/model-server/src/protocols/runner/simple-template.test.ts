import { expect, test } from '@jest/globals';
import { renderSimpleTemplate, type TemplateValues } from './simple-template.js';

function text(template: string, values: TemplateValues): string | undefined {
  return renderSimpleTemplate(template, values)
    ?.map((part) => part.text)
    .join('');
}

const chatMl = `{{ if .System }}<|im_start|>system
{{ .System }}<|im_end|>
{{ end }}{{ if .Prompt }}<|im_start|>user
{{ .Prompt }}<|im_end|>
{{ end }}<|im_start|>assistant
{{ .Response }}<|im_end|>`;

test('fields and conditions are rendered, and the text ends where the answer begins', () => {
  expect(text(chatMl, { system: 'Be brief.', prompt: 'Hi' })).toBe(
    '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n',
  );
  expect(text(chatMl, { system: '', prompt: 'Hi' })).toBe(
    '<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n',
  );
});

test('a dash trims the space on its side', () => {
  expect(text('a \n{{- .Prompt -}} \n b', { system: '', prompt: 'X' })).toBe('aXb');
});

test('else is the other way', () => {
  const template = '{{ if .System }}S{{ else }}none{{ end }}: {{ .Prompt }}';
  expect(text(template, { system: '', prompt: 'X' })).toBe('none: X');
});

test.each(['{{ range .Messages }}x{{ end }}', '{{ if .Tools }}x{{ end }}', '{{ if .System }}x', '{{ $x }}'])(
  '%s is more than this renders',
  (template) => {
    expect(text(template, { system: '', prompt: 'X' })).toBeUndefined();
  },
);

test('what fills a field is plain, what the template says is markup', () => {
  expect(renderSimpleTemplate('[INST]{{ .Prompt }}[/INST]', { system: '', prompt: '[INST]' })).toEqual([
    { kind: 'markup', text: '[INST]' },
    { kind: 'plain', text: '[INST]' },
    { kind: 'markup', text: '[/INST]' },
  ]);
});
