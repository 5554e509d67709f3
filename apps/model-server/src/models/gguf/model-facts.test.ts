import { expect, test } from '@jest/globals';
import { templateCapabilities } from './model-facts.js';

test.each([
  ['{% if tools %}{{ tools }}{% endif %}', ['tools']],
  ["{{ content.split('</think>')[-1] }}", ['thinking']],
  ['<|start|>assistant<|channel|>analysis<|message|>', ['thinking']],
  ['[THINK]{{ thought }}[/THINK]', ['thinking']],
  ['{{ if .Tools }}{{ end }}{{ if .Thinking }}{{ .Thinking }}{{ end }}', ['tools', 'thinking']],
  ['{{ message.content }}', []],
])('the template %s shows %j', (template, expected) => {
  expect(templateCapabilities(template)).toEqual(expected);
});

test('without a template nothing is known', () => {
  expect(templateCapabilities(undefined)).toEqual([]);
});
