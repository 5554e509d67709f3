import { expect, test } from '@jest/globals';
import { defaultSampling } from '../generation/sampling.js';
import { applyOptions, generationDefaults } from './generation-defaults.js';

const plain = generationDefaults({ parameters: {} });

test('a model that says nothing has the defaults of the specification', () => {
  expect(plain).toEqual({ sampling: defaultSampling, maxTokens: 4096, stop: [], contextLength: undefined });
});

test('a model’s own parameters stand over them, and those of a wrong kind are left out', () => {
  const defaults = generationDefaults({
    parameters: { temperature: 0.2, num_ctx: 1024, stop: '<end>', top_k: 'many', colour: 'red' },
  });
  expect(defaults).toMatchObject({ stop: ['<end>'], contextLength: 1024 });
  expect(defaults.sampling).toEqual({ ...defaultSampling, temperature: 0.2 });
});

test('a request stands over both', () => {
  const model = generationDefaults({ parameters: { temperature: 0.2, top_p: 0.5, stop: ['a'] } });
  const asked = applyOptions(model, { temperature: 1, stop: ['b'], top_p: null });
  expect(asked.sampling).toMatchObject({ temperature: 1, topP: 0.5 });
  expect(asked.stop).toEqual(['b']);
});

test.each([
  [{ num_predict: -1 }, { maxTokens: undefined }],
  [{ num_predict: -2 }, { maxTokens: undefined }],
  [{ num_predict: 0 }, { maxTokens: 0 }],
  [{ seed: -1 }, { sampling: { seed: undefined } }],
  [{ seed: 0 }, { sampling: { seed: 0 } }],
  [{ seed: 2 ** 32 + 5 }, { sampling: { seed: 5 } }],
  [{ top_k: -1 }, { sampling: { topK: 0 } }],
  [{ temperature: -1 }, { sampling: { temperature: 0 } }],
])('%j means %j', (options, meaning) => {
  expect(applyOptions(plain, options)).toMatchObject(meaning);
});
