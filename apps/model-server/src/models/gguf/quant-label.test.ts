import { expect, test } from '@jest/globals';
import { nameWithoutQuant, quantLabel } from './quant-label.js';

test.each([
  ['Qwen3-4B-Q4_K_M.gguf', 'Q4_K_M', 'Qwen3-4B'],
  ['qwen2.5-0.5b-instruct-q8_0.gguf', 'Q8_0', 'qwen2.5-0.5b-instruct'],
  ['Meta-Llama-3.1-8B-Instruct.Q5_K_S.gguf', 'Q5_K_S', 'Meta-Llama-3.1-8B-Instruct'],
  ['gpt-oss-20b-mxfp4.gguf', 'MXFP4', 'gpt-oss-20b'],
  ['model-UD-Q2_K_XL-00001-of-00002.gguf', 'UD-Q2_K_XL', 'model'],
  ['gemma-3-270m-it-BF16.gguf', 'BF16', 'gemma-3-270m-it'],
  ['x-IQ4_XS.gguf', 'IQ4_XS', 'x'],
  ['ember.gguf', undefined, 'ember'],
  ['Qwen3-4B.gguf', undefined, 'Qwen3-4B'],
])('%s', (fileName, quant, rest) => {
  expect(quantLabel(fileName)).toBe(quant);
  expect(nameWithoutQuant(fileName)).toBe(rest);
});
