import { expect, test } from '@jest/globals';
import { testModel } from '../../test/create-test-app.js';
import { defaultSampling } from '../generation/sampling.js';
import { applyOptions, modelDefaults } from './model-defaults.js';

test('a model without settings gets the defaults of the server', () => {
  expect(modelDefaults(testModel)).toEqual({
    sampling: defaultSampling,
    maxTokens: 4096,
    stop: [],
    messages: [],
  });
});

test("a model's own settings stand above them", () => {
  const model = {
    ...testModel,
    parameters: { temperature: 0.1, stop: ['END'], num_predict: -1, num_ctx: 1024, seed: 7 },
    system: 'Be brief.',
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ],
  };
  expect(modelDefaults(model)).toEqual({
    sampling: { ...defaultSampling, temperature: 0.1, seed: 7 },
    maxTokens: undefined,
    stop: ['END'],
    contextLength: 1024,
    system: 'Be brief.',
    messages: model.messages,
  });
});

test('a setting of the wrong kind does not keep the others from counting', () => {
  const model = { ...testModel, parameters: { temperature: 'warm', stop: 'END', colour: 'red' } };
  expect(modelDefaults(model)).toMatchObject({ sampling: defaultSampling, stop: ['END'] });
});

test('the options of a request stand above both, and null is no option', () => {
  const model = modelDefaults({ ...testModel, parameters: { temperature: 0.2, top_p: 0.5, stop: ['a'] } });
  const asked = applyOptions(model, { temperature: 1, stop: ['b'], top_p: null });
  expect(asked.sampling).toMatchObject({ temperature: 1, topP: 0.5 });
  expect(asked.stop).toEqual(['b']);
});

test.each([
  [{ num_predict: -2 }, { maxTokens: undefined }],
  [{ num_predict: 0 }, { maxTokens: 0 }],
  [{ seed: -1 }, { sampling: { seed: undefined } }],
  [{ seed: 0 }, { sampling: { seed: 0 } }],
  [{ seed: 2 ** 32 + 5 }, { sampling: { seed: 5 } }],
  [{ top_k: -1 }, { sampling: { topK: 0 } }],
  [{ temperature: -1 }, { sampling: { temperature: 0 } }],
])('%j means %j', (options, meaning) => {
  expect(applyOptions(modelDefaults(testModel), options)).toMatchObject(meaning);
});
