import path from 'node:path';
import { expect, test } from '@jest/globals';
import {
  gemmaTemplate,
  llama3Template,
  mistralTemplate,
  qwen3Template,
  r1Template,
} from '../../../test/engine/family-templates.js';
import { readChatTemplate } from '../../../test/engine/read-chat-template.js';
import { detectToolCallDialect } from './detect-tool-call-dialect.js';
import { detectThinkingTags } from './thinking-tags.js';

const ember = readChatTemplate(path.resolve(import.meta.dirname, '../../../../../models/ember/ember.gguf'));

test.each([
  ['ember', ember, 'hermes'],
  ['Qwen 3', qwen3Template, 'hermes'],
  ['Qwen 3 Coder', '<tool_call>\n<function=name>\n<parameter=key>', 'qwen-xml'],
  ['GLM 4', '<tool_call>name\n<arg_key>', 'glm-xml'],
  ['Llama 3', llama3Template, 'llama3-json'],
  ['Mistral', mistralTemplate, 'mistral-array'],
  ['Mistral since 2025', '[TOOL_CALLS]name[ARGS]', 'mistral-args'],
  ['Granite 3', '<|tool_call|>', 'tagged-array'],
  ['DeepSeek', '<｜tool▁calls▁begin｜>', 'deepseek'],
  ['Command R', '<|START_ACTION|>', 'command-r'],
  ['gpt-oss', '<|start|>assistant<|channel|>final<|message|>', 'harmony'],
  ['Gemma', gemmaTemplate, undefined],
])('the tool call dialect of %s', (_name, template, dialect) => {
  expect(detectToolCallDialect(template)).toBe(dialect);
});

test.each([
  ['ember', ember, '<think>'],
  ['DeepSeek R1, which only strips old thoughts', r1Template, '<think>'],
  ['Magistral', '[THINK]', '[THINK]'],
  ['Seed', '</seed:think>', '<seed:think>'],
  ['Llama 3', llama3Template, undefined],
])('the thinking tags of %s', (_name, template, open) => {
  expect(detectThinkingTags(template)?.open).toBe(open);
});
