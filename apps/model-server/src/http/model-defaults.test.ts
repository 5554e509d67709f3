import { expect, test } from '@jest/globals';
import { testModel } from '../../test/create-test-app.js';
import { defaultSampling } from '../generation/sampling.js';
import { modelDefaults } from './model-defaults.js';

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

test('a setting of the wrong kind does not keep a model from being served', () => {
  const model = { ...testModel, parameters: { temperature: 'warm' } };
  expect(modelDefaults(model).sampling).toEqual(defaultSampling);
});
