import { Template } from '@huggingface/jinja';
import { expect, test } from '@jest/globals';
import { goTemplateToJinja } from './go-template-to-jinja.js';

const conversation = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: "What's up?" },
  { role: 'assistant', content: 'Not much.' },
  { role: 'user', content: 'Bye' },
];

function render(template: string, values: object = {}): string {
  const jinja = goTemplateToJinja(template);
  if (jinja === undefined) throw new Error('not translated');
  return new Template(jinja).render({ messages: conversation, tools: null, ...values });
}

test('a template of one exchange is repeated, and the last one is left open for the model', () => {
  const chatml = `{{ if .System }}<|im_start|>system
{{ .System }}<|im_end|>
{{ end }}{{ if .Prompt }}<|im_start|>user
{{ .Prompt }}<|im_end|>
{{ end }}<|im_start|>assistant
{{ .Response }}<|im_end|>
`;
  expect(render(chatml)).toBe(
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhat's up?<|im_end|>\n<|im_start|>assistant\nNot much.<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n",
  );
});

test('the plainest template is only the prompt', () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  expect(render('{{ .Prompt }}', { messages })).toBe('Hi');
  expect(render('[INST] {{ .System }} {{ .Prompt }} [/INST]', { messages })).toBe('[INST]  Hi [/INST]');
});

test('a template that walks through the messages, with variables, trimming and an else for the old way', () => {
  const llama = `{{- if .Messages }}
{{- if .System }}<|system|>
{{ .System }}<|eot|>
{{- end }}
{{- range $i, $_ := .Messages }}
{{- $last := eq (len (slice $.Messages $i)) 1 }}
{{- if eq .Role "user" }}<|user|>
{{ .Content }}<|eot|>
{{- else if eq .Role "assistant" }}<|assistant|>
{{ .Content }}{{ if not $last }}<|eot|>{{ end }}
{{- end }}
{{- if and (ne .Role "assistant") $last }}<|assistant|>
{{ end }}
{{- end }}
{{- else }}{{ .Prompt }}{{ .Response }}{{ end }}`;
  expect(render(llama)).toBe(
    "<|system|>\nBe brief.<|eot|><|user|>\nWhat's up?<|eot|><|assistant|>\nNot much.<|eot|><|user|>\nBye<|eot|><|assistant|>\n",
  );
});

test('tools and calls are written as JSON', () => {
  const template = `{{- range .Tools }}{{ json .Function }};{{ end }}{{ range .Messages }}{{ range .ToolCalls }}<call>{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}</call>{{ end }}{{ end }}`;
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];
  const messages = [
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: 'f', arguments: { city: 'Lima' } } }],
    },
  ];
  expect(render(template, { messages, tools }).replace(/\s/g, '')).toBe(
    '{"name":"f","parameters":{"type":"object"}};<call>{"name":"f","arguments":{"city":"Lima"}}</call>',
  );
});

test.each([
  '{{ .Unknown }}{{ .Prompt }}',
  '{{ with .Messages }}{{ end }}',
  '{{ if .Prompt }}never closed',
  '{{ printf "%s" .Prompt }}',
  '{{ end }}{{ .Prompt }}',
  'no fields at all',
  '{{ range .Messages }}{{ break }}{{ end }}',
])('%s is not translated into something else', (template) => {
  expect(goTemplateToJinja(template)).toBeUndefined();
});
