import { afterAll, expect, test } from '@jest/globals';
import { createValidator } from '../../test/engine/validate-schema.js';
import { chat, openEngine, run } from '../../test/engine-fixture.js';
import { defaultSampling } from '../generation/sampling.js';
import type { JsonSchema, Tool } from '../generation/tool.js';

// A hot sampler makes the model write nonsense; whatever it writes must be whole and match. Every schema here is bounded,
// so that each answer ends.
const engine = openEngine({ settings: { contextLength: 2048 } });
afterAll(() => engine.close());

const hot = (seed: number) => ({
  ...defaultSampling,
  temperature: 1.6,
  topK: 0,
  topP: 1,
  repeatPenalty: 1,
  seed,
});

const word = { type: 'string', pattern: '^[a-z]{1,8}$' };
const schemas: readonly (readonly [string, JsonSchema])[] = [
  [
    'optional properties',
    {
      type: 'object',
      properties: { a: word, b: { type: 'integer', minimum: -5, maximum: 5 }, c: { type: 'boolean' } },
      required: ['b'],
    },
  ],
  [
    'a map of numbers',
    {
      type: 'object',
      additionalProperties: { type: 'number', minimum: 0, maximum: 1 },
      propertyNames: { pattern: '^k[0-9]$' },
      minProperties: 1,
      maxProperties: 3,
    },
  ],
  [
    'a list with bounds',
    { type: 'array', items: { enum: ['red', 'green', { mix: [1, 2] }] }, minItems: 2, maxItems: 4 },
  ],
  [
    'a tuple',
    {
      type: 'array',
      prefixItems: [
        word,
        { type: 'integer', multipleOf: 7, minimum: 7, maximum: 700 },
        { type: ['null', 'boolean'] },
      ],
      minItems: 3,
    },
  ],
  [
    'a union told apart',
    {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'cat' }, lives: { type: 'integer', minimum: 1, maximum: 9 } },
          required: ['kind', 'lives'],
        },
        { type: 'object', properties: { kind: { const: 'dog' }, name: word }, required: ['kind', 'name'] },
      ],
    },
  ],
  [
    'merged schemas',
    {
      allOf: [
        { type: 'object', properties: { x: { type: 'number', exclusiveMinimum: 0 } }, required: ['x'] },
        { properties: { x: { maximum: 2.5 }, y: word } },
      ],
    },
  ],
  [
    'formats',
    {
      type: 'object',
      properties: {
        on: { type: 'string', format: 'date-time' },
        id: { type: 'string', format: 'uuid' },
        ip: { type: 'string', format: 'ipv4' },
      },
      required: ['on', 'id', 'ip'],
    },
  ],
  ['text of bounded length', { type: 'string', minLength: 3, maxLength: 30 }],
  [
    'recursion',
    {
      $defs: {
        tree: {
          type: 'object',
          properties: {
            v: { type: 'integer', minimum: 0, maximum: 9 },
            kids: { type: 'array', maxItems: 1, items: { $ref: '#/$defs/tree' } },
          },
          required: ['v'],
        },
      },
      $ref: '#/$defs/tree',
    },
  ],
];

test.each(schemas)('whatever is sampled matches the schema: %s', async (_name, schema) => {
  const validate = createValidator(schema);
  const results = await Promise.all(
    [1, 2, 3, 4].map((seed) =>
      run(
        engine,
        chat('Tell me a story about a fox.', {
          format: { kind: 'json-schema', schema },
          sampling: hot(seed),
          maxTokens: 600,
        }),
      ),
    ),
  );
  for (const { text, reason } of results) {
    // Recursion may go on until the tokens run out; all else ends by itself.
    if (reason.kind === 'end') expect({ text, matches: validate(text) }).toEqual({ text, matches: true });
  }
  expect(results.some(({ reason }) => reason.kind === 'end')).toBe(true);
});

const tools: readonly Tool[] = [
  {
    name: 'book_table',
    parameters: {
      type: 'object',
      properties: {
        guests: { type: 'integer', minimum: 1, maximum: 12 },
        day: { enum: ['friday', 'saturday'] },
        wishes: { type: 'array', items: { type: 'string', maxLength: 6 }, maxItems: 2 },
      },
      required: ['guests', 'day'],
    },
  },
  { name: 'list_tables', parameters: { type: 'object', properties: {} } },
];
const validators = new Map(tools.map(({ name, parameters }) => [name, createValidator(parameters)]));

test.each([
  ['required', { kind: 'required' } as const, true],
  ['required, one call', { kind: 'required' } as const, false],
  ['named', { kind: 'tool', name: 'book_table' } as const, true],
])(
  'whatever is sampled is a call that matches its schema: %s',
  async (_name, toolChoice, parallelToolCalls) => {
    const results = await Promise.all(
      [5, 6, 7, 8].map((seed) =>
        run(
          engine,
          chat('Hello there!', { tools, toolChoice, parallelToolCalls, sampling: hot(seed), maxTokens: 900 }),
        ),
      ),
    );
    for (const { text, toolCalls, reason } of results) {
      expect(text).toBe('');
      expect(reason).toEqual({ kind: 'tool-calls' });
      if (!parallelToolCalls || toolChoice.kind === 'tool') expect(toolCalls).toHaveLength(1);
      for (const { name, argumentsText } of toolCalls) {
        if (toolChoice.kind === 'tool') expect(name).toBe(toolChoice.name);
        expect({ argumentsText, matches: validators.get(name)?.(argumentsText) }).toEqual({
          argumentsText,
          matches: true,
        });
      }
    }
  },
);

test('a strict tool is called with arguments of its schema, and text stays free', async () => {
  const weather: Tool = {
    name: 'get_weather',
    strict: true,
    parameters: {
      type: 'object',
      properties: { city: { enum: ['Lima', 'Oslo'] } },
      required: ['city'],
      additionalProperties: false,
    },
  };
  const [call, talk] = await Promise.all([
    run(engine, chat("How's the weather in Lima right now?", { tools: [weather] })),
    run(engine, chat('who are you?', { tools: [weather] })),
  ]);
  expect(call.toolCalls.map(({ name, argumentsText }) => [name, JSON.parse(argumentsText)])).toEqual([
    ['get_weather', { city: 'Lima' }],
  ]);
  expect(talk.text).toContain('Ember');
});
