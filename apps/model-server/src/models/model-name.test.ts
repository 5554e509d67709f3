import { expect, test } from '@jest/globals';
import { displayModelName, modelNameKey, parseModelName, tryParseModelName } from './model-name.js';

test.each([
  ['llama3.2', 'llama3.2:latest'],
  ['llama3.2:1b', 'llama3.2:1b'],
  ['user/model', 'user/model:latest'],
  ['library/model', 'model:latest'],
  ['registry.ollama.ai/library/model:x', 'model:x'],
  ['hf.co/Qwen/Qwen3-4B-GGUF:Q4_K_M', 'hf.co/Qwen/Qwen3-4B-GGUF:Q4_K_M'],
  ['localhost:5000/a/b', 'localhost:5000/a/b:latest'],
  ['https://hf.co/a/b:c', 'hf.co/a/b:c'],
  ['http://localhost:5000/a/b:c', 'localhost:5000/a/b:c'],
  ['_x', '_x:latest'],
])('%s is shown as %s', (text, shown) => {
  expect(displayModelName(parseModelName(text))).toBe(shown);
});

test.each([
  '',
  ':',
  'a:',
  ':tag',
  '/',
  'a/',
  '/a',
  'a//b',
  '..',
  '../x',
  'a/../b',
  'host:99999/a/b',
  'a:b:c/d/e',
  'x:..',
  '.hidden',
  '-flag',
  'a b',
  'a\\b',
  'a\0b',
  'a\nb',
  'na.me/space',
  'host/a/b/c/d',
  'ünïcode',
  'a:b:c',
  'a%2e%2e',
  'http://model',
  `${'a'.repeat(81)}`,
  `a:${'b'.repeat(81)}`,
  `${'h'.repeat(351)}/a/b`,
])('%j is no name', (text) => {
  expect(tryParseModelName(text)).toBeUndefined();
  expect(() => parseModelName(text)).toThrow('invalid model name');
});

test('upper and lower case make no difference to which model is meant', () => {
  expect(modelNameKey(parseModelName('HF.co/User/Repo:Q4_K_M'))).toBe(
    modelNameKey(parseModelName('hf.co/user/repo:q4_k_m')),
  );
});

test('plain http is kept apart from the name, because only a download may care', () => {
  expect(parseModelName('http://localhost:5000/a/b')).toMatchObject({
    scheme: 'http',
    host: 'localhost:5000',
  });
  expect(parseModelName('a').scheme).toBe('https');
});
