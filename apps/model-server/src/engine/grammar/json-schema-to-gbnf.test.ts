import { describe, expect, test } from '@jest/globals';
import { gbnfAccepts, parseGbnf } from '../../../test/engine/gbnf.js';
import type { JsonSchema } from '../../generation/tool.js';
import { jsonSchemaToGbnf } from './json-schema-to-gbnf.js';

interface Case {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly accepts: readonly string[];
  readonly refuses: readonly string[];
}

const list = {
  $defs: {
    node: {
      type: 'object',
      properties: {
        value: { type: 'integer' },
        next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
      },
      required: ['value', 'next'],
    },
  },
  $ref: '#/$defs/node',
};

const cases: readonly Case[] = [
  {
    name: 'an empty schema is any JSON',
    schema: {},
    accepts: ['1', '"a"', 'null', '[]', '{}', '{"a":[1,{"b":true}]}', '-0.5e-3'],
    refuses: ['', 'a', '01', '[1,]', '{a:1}', '"\n"', '1e999'],
  },
  { name: 'true is any JSON', schema: true, accepts: ['{"a": 1}'], refuses: ['{'] },
  {
    name: 'white space is bounded',
    schema: { type: 'object', properties: { a: { type: 'null' } }, required: ['a'] },
    accepts: ['{"a":null}', '{ "a": null }', '{\n    "a": null\n}'],
    refuses: ['{  "a":null}', '{\n\n"a":null}', '{"a" :null}', ' {"a":null}', '{"a":null}\n'],
  },
  {
    name: 'type lists',
    schema: { type: ['integer', 'null'] },
    accepts: ['1', 'null'],
    refuses: ['1.5', '"1"'],
  },
  {
    name: 'strings: escapes are whole, surrogates come in pairs',
    schema: { type: 'string' },
    accepts: ['"\\u00e9\\n"', '"\\ud83d\\ude00"', '"😀"'],
    refuses: ['"\\ud83d"', '"\\u12"', '"\\x"', '"\t"'],
  },
  {
    name: 'string length counts characters',
    schema: { type: 'string', minLength: 2, maxLength: 3 },
    accepts: ['"ab"', '"\\n😀a"', '"\\ud83d\\ude00a"'],
    refuses: ['"a"', '"abcd"', '"\\ud83d\\ude00"'],
  },
  {
    name: 'large lengths',
    schema: { type: 'string', minLength: 100, maxLength: 1000 },
    accepts: [
      JSON.stringify('x'.repeat(100)),
      JSON.stringify('x'.repeat(1000)),
      JSON.stringify('x'.repeat(777)),
    ],
    refuses: [JSON.stringify('x'.repeat(99)), JSON.stringify('x'.repeat(1001))],
  },
  {
    name: 'unanchored patterns match anywhere',
    schema: { type: 'string', pattern: 'b+' },
    accepts: ['"abc"', '"b"'],
    refuses: ['"ac"', '""'],
  },
  {
    name: 'pattern together with length',
    schema: { type: 'string', pattern: '^[a-z]*$', minLength: 2, maxLength: 4 },
    accepts: ['"ab"', '"abcd"'],
    refuses: ['"a"', '"abcde"', '"AB"'],
  },
  {
    name: 'pattern together with format',
    schema: { type: 'string', format: 'date', pattern: '^2024' },
    accepts: ['"2024-02-29"'],
    refuses: ['"2023-01-01"', '"2024-02-30"'],
  },
  {
    name: 'a pattern of characters that JSON escapes',
    schema: { type: 'string', pattern: '^[\\n"\\\\]$' },
    accepts: ['"\\n"', '"\\""', '"\\\\"'],
    refuses: ['"\n"', '"n"', '""'],
  },
  {
    name: 'unknown formats are notes',
    schema: { type: 'string', format: 'favourite-colour' },
    accepts: ['"red"'],
    refuses: ['1'],
  },
  {
    name: 'leap days',
    schema: { type: 'string', format: 'date' },
    accepts: ['"2000-02-29"', '"2024-02-29"'],
    refuses: ['"1900-02-29"', '"2023-02-29"', '"2024-13-01"', '"2024-04-31"'],
  },
  {
    name: 'integers are exact at both ends',
    schema: { type: 'integer', minimum: -12, maximum: 305 },
    accepts: ['-12', '-1', '0', '9', '99', '300', '305'],
    refuses: ['-13', '306', '400', '1.0', '-0', '007'],
  },
  {
    name: 'exclusive bounds of integers',
    schema: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 },
    accepts: ['1', '9'],
    refuses: ['0', '10'],
  },
  {
    name: 'one-sided bounds',
    schema: { type: 'integer', minimum: 1950 },
    accepts: ['1950', '1999', '20000'],
    refuses: ['1949', '-5', '0'],
  },
  {
    name: 'fractional bounds of integers',
    schema: { type: 'integer', minimum: 0.5, maximum: 2.5 },
    accepts: ['1', '2'],
    refuses: ['0', '3'],
  },
  {
    name: 'the boolean bounds of draft 4',
    schema: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 3 },
    accepts: ['2', '3'],
    refuses: ['1'],
  },
  {
    name: 'multiples within a range',
    schema: { type: 'integer', multipleOf: 15, minimum: 10, maximum: 100 },
    accepts: ['15', '90'],
    refuses: ['10', '105', '20'],
  },
  {
    name: 'numbers between decimals',
    schema: { type: 'number', minimum: -0.5, exclusiveMaximum: 1.25 },
    accepts: ['-0.5', '-0.49', '0', '1', '1.249', '0.000001'],
    refuses: ['-0.51', '1.25', '1.3', '2', '-1'],
  },
  {
    name: 'very large and very small bounds',
    schema: { type: 'number', exclusiveMinimum: 1e-7, maximum: 1e12 },
    accepts: ['0.01', '1000000000000', '999999999999.5'],
    refuses: ['0', '1000000000001', '-1'],
  },
  {
    name: 'hundredths',
    schema: { type: 'number', multipleOf: 0.01 },
    accepts: ['1.25', '3', '-0.1'],
    refuses: ['1.255'],
  },
  {
    name: 'int32',
    schema: { type: 'integer', format: 'int32' },
    accepts: ['2147483647', '-2147483648'],
    refuses: ['2147483648'],
  },
  {
    name: 'enum and const of any type',
    schema: { enum: ['a"b', 1.5, null, { x: [1] }] },
    accepts: ['"a\\"b"', '1.5', 'null', '{"x": [1]}'],
    refuses: ['"a"', '{"x":[2]}'],
  },
  {
    name: 'enum values that the rest forbids are left out',
    schema: { type: 'string', enum: ['a', 'bb', 3], minLength: 2 },
    accepts: ['"bb"'],
    refuses: ['"a"', '3'],
  },
  {
    name: 'arrays with bounds',
    schema: { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 2 },
    accepts: ['[true]', '[true, false]', '[\n  true,\n  false\n]'],
    refuses: ['[]', '[true,true,true]', '[1]'],
  },
  {
    name: 'tuples',
    schema: {
      type: 'array',
      prefixItems: [{ type: 'integer' }, { type: 'string' }],
      items: { type: 'null' },
      minItems: 1,
    },
    accepts: ['[1]', '[1,"a"]', '[1,"a",null,null]'],
    refuses: ['[]', '["a"]', '[1,null]'],
  },
  {
    name: 'tuples of older drafts',
    schema: { type: 'array', items: [{ type: 'integer' }], additionalItems: false },
    accepts: ['[]', '[1]'],
    refuses: ['[1,2]'],
  },
  { name: 'an array of nothing', schema: { type: 'array', items: false }, accepts: ['[]'], refuses: ['[1]'] },
  {
    name: 'optional properties in any subset, in their order',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' }, c: { type: 'integer' } },
      required: ['b'],
    },
    accepts: ['{"b":1}', '{"a":1,"b":1}', '{"b":1,"c":1}', '{"a":1,"b":1,"c":1}'],
    refuses: ['{}', '{"a":1}', '{"c":1,"b":1}', '{"b":1,"d":1}', '{"b":1,}'],
  },
  {
    name: 'no required property at all',
    schema: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
    accepts: ['{}', '{"a":1}', '{"b":1}', '{"a":1,"b":2}'],
    refuses: ['{,}', '{"b":1,"a":1}'],
  },
  {
    name: 'additional properties with a schema never hide a declared one',
    schema: {
      type: 'object',
      properties: { ab: { type: 'integer' } },
      additionalProperties: { type: 'string' },
    },
    accepts: ['{}', '{"ab":1,"abc":"x"}', '{"a":"x","":"y"}'],
    refuses: ['{"ab":"x"}', '{"x":1}', '{"\\u0061b":"x"}'],
  },
  {
    name: 'additionalProperties: true',
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' } },
      required: ['a'],
      additionalProperties: true,
    },
    accepts: ['{"a":1}', '{"a":1,"z":[]}'],
    refuses: ['{"z":1}'],
  },
  {
    name: 'an object without declared properties is open, one that declares none is empty',
    schema: {
      anyOf: [
        { type: 'array', items: { type: 'object' } },
        { type: 'object', properties: {} },
      ],
    },
    accepts: ['{}', '[{"x":1}]'],
    refuses: ['{"x":1}'],
  },
  {
    name: 'required properties that are not declared',
    schema: { type: 'object', required: ['x'] },
    accepts: ['{"x":1}', '{"x":[],"y":2}'],
    refuses: ['{}', '{"y":2}'],
  },
  {
    name: 'properties by pattern',
    schema: { type: 'object', patternProperties: { '^n_': { type: 'number' } }, additionalProperties: false },
    accepts: ['{}', '{"n_a":1,"n_b":2}'],
    refuses: ['{"x":1}', '{"n_a":"1"}'],
  },
  {
    name: 'names by pattern',
    schema: {
      type: 'object',
      propertyNames: { pattern: '^[a-z]+$' },
      additionalProperties: { type: 'integer' },
    },
    accepts: ['{"a":1,"bc":2}'],
    refuses: ['{"A":1}'],
  },
  {
    name: 'counted properties',
    schema: {
      type: 'object',
      properties: { a: { type: 'null' }, b: { type: 'null' }, c: { type: 'null' } },
      minProperties: 1,
      maxProperties: 2,
    },
    accepts: ['{"a":null}', '{"a":null,"c":null}', '{"b":null,"c":null}'],
    refuses: ['{}', '{"a":null,"b":null,"c":null}'],
  },
  {
    name: 'counted members of a map',
    schema: { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1, maxProperties: 2 },
    accepts: ['{"a":1}', '{"a":1,"b":2}'],
    refuses: ['{}', '{"a":1,"b":2,"c":3}'],
  },
  {
    name: 'forbidden properties',
    schema: { type: 'object', properties: { a: false, b: { type: 'null' } } },
    accepts: ['{"b":null}', '{}'],
    refuses: ['{"a":1}'],
  },
  {
    name: 'anyOf with what stands beside it',
    schema: {
      type: 'object',
      properties: { kind: { type: 'string' } },
      required: ['kind'],
      anyOf: [
        { properties: { a: { type: 'integer' } }, required: ['a'] },
        { properties: { kind: { const: 'b' } } },
      ],
    },
    accepts: ['{"kind":"x","a":1}', '{"kind":"b"}'],
    refuses: ['{"kind":"x"}', '{"a":1}'],
  },
  {
    name: 'oneOf of things that cannot be both',
    schema: {
      oneOf: [
        { type: 'object', properties: { t: { const: 'a' }, x: { type: 'integer' } }, required: ['t', 'x'] },
        { type: 'object', properties: { t: { const: 'b' } }, required: ['t'] },
        { type: 'null' },
      ],
    },
    accepts: ['{"t":"a","x":1}', '{"t":"b"}', 'null'],
    refuses: ['{"t":"a"}', '{"t":"c"}'],
  },
  {
    name: 'oneOf told apart by required properties',
    schema: {
      oneOf: [
        { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'integer' } }, required: ['b'] },
      ],
    },
    accepts: ['{"a":1}', '{"b":1}'],
    refuses: ['{}', '{"a":1,"b":1}'],
  },
  {
    name: 'allOf is merged',
    schema: {
      allOf: [
        { type: 'object', properties: { a: { type: 'number', minimum: 0 } }, required: ['a'] },
        { properties: { a: { type: 'integer', maximum: 5 }, b: { type: 'string' } }, required: ['b'] },
      ],
    },
    accepts: ['{"a":3,"b":"x"}'],
    refuses: ['{"a":6,"b":"x"}', '{"a":1.5,"b":"x"}', '{"a":1}'],
  },
  {
    name: 'allOf with additionalProperties false on one side',
    schema: {
      allOf: [
        { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false },
        { properties: { a: { minimum: 1 }, b: { type: 'string' } } },
      ],
    },
    accepts: ['{}', '{"a":1}'],
    refuses: ['{"a":0}', '{"b":"x"}', '{"a":1,"b":"x"}'],
  },
  {
    name: 'recursion through references',
    schema: list,
    accepts: ['{"value":1,"next":null}', '{"value":1,"next":{"value":2,"next":null}}'],
    refuses: ['{"value":1}', '{"value":1,"next":{"value":2}}'],
  },
  {
    name: 'a reference to the whole',
    schema: { type: 'object', properties: { child: { $ref: '#' } } },
    accepts: ['{}', '{"child":{"child":{}}}'],
    refuses: ['{"child":1}'],
  },
  {
    name: 'references by name, through two steps and beside other keywords',
    schema: {
      definitions: { a: { $ref: '#b' }, b: { $anchor: 'b', type: 'integer' } },
      $ref: '#/definitions/a',
      minimum: 5,
      description: 'x',
    },
    accepts: ['5'],
    refuses: ['4', '"5"'],
  },
  {
    name: 'recursive allOf ends',
    schema: {
      $defs: {
        a: { type: 'object', properties: { x: { $ref: '#/$defs/a' } } },
        b: { type: 'object', properties: { x: { $ref: '#/$defs/b' } } },
      },
      allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }],
    },
    accepts: ['{}', '{"x":{"x":{}}}'],
    refuses: ['{"x":1}'],
  },
  {
    name: 'options that could never end are left out',
    schema: {
      $defs: { endless: { type: 'object', properties: { x: { $ref: '#/$defs/endless' } }, required: ['x'] } },
      anyOf: [{ $ref: '#/$defs/endless' }, { type: 'null' }],
    },
    accepts: ['null'],
    refuses: ['{"x":'],
  },
  {
    name: 'notes are ignored',
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://x',
      title: 't',
      description: 'd',
      default: 1,
      examples: [1],
      deprecated: true,
      'x-own': {},
      type: 'boolean',
    },
    accepts: ['true'],
    refuses: ['1'],
  },
  {
    name: 'unevaluatedProperties: false beside allOf',
    schema: {
      allOf: [{ type: 'object', properties: { a: { type: 'null' } } }],
      unevaluatedProperties: false,
    },
    accepts: ['{"a":null}', '{}'],
    refuses: ['{"b":1}'],
  },
];

describe('a grammar from a schema', () => {
  test.each(cases.map((entry) => [entry.name, entry] as const))(
    '%s',
    (_name, { schema, accepts, refuses }) => {
      const grammar = parseGbnf(jsonSchemaToGbnf(schema));
      const judged = (texts: readonly string[]) => texts.map((text) => [text, gbnfAccepts(grammar, text)]);
      expect(judged(accepts)).toEqual(accepts.map((text) => [text, true]));
      expect(judged(refuses)).toEqual(refuses.map((text) => [text, false]));
    },
  );
});

describe('a schema that cannot be enforced', () => {
  function thrown(schema: JsonSchema): unknown {
    try {
      jsonSchemaToGbnf(schema);
    } catch (error) {
      return error;
    }
    throw new Error('nothing was thrown');
  }

  test.each<[string, JsonSchema, string]>([
    ['not', { not: { type: 'string' } }, ''],
    ['if', { if: {}, else: { type: 'string' } }, ''],
    [
      'uniqueItems',
      { type: 'object', properties: { 'a/b': { type: 'array', uniqueItems: true } } },
      '/properties/a~1b',
    ],
    ['contains', { type: 'array', items: { type: 'array', contains: {} } }, '/items'],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, ''],
    ['unevaluatedProperties', { unevaluatedProperties: { type: 'string' } }, ''],
    ['pattern', { anyOf: [{ type: 'null' }, { type: 'string', pattern: '^(?=a)' }] }, '/anyOf/1'],
    ['pattern', { type: 'string', pattern: '(a)\\1' }, ''],
    ['pattern', { type: 'string', pattern: 'a\\b' }, ''],
    ['pattern', { type: 'string', pattern: '(' }, ''],
    ['format', { type: 'string', format: 'idn-email' }, ''],
    ['pattern', { enum: ['a', 'b'], pattern: '(?!a)' }, ''],
    ['multipleOf', { type: 'number', multipleOf: 0.3 }, ''],
    ['oneOf', { oneOf: [{ type: 'integer' }, { type: 'number' }] }, ''],
    ['minProperties', { type: 'object', additionalProperties: true, minProperties: 3 }, ''],
  ])('is refused by name: %s %j', (keyword, schema, path) => {
    expect(thrown(schema)).toMatchObject({
      name: 'GenerationError',
      code: 'unsupported',
      message: expect.stringContaining(`"${keyword}"`),
      facts: { keyword, path },
    });
  });

  test.each<[string, JsonSchema]>([
    ['a wrong type', { type: 'text' }],
    ['a wrong bound', { type: 'string', minLength: -1 }],
    ['a property that is no schema', { type: 'object', properties: { a: 1 } }],
    ['a reference that leads nowhere', { $ref: '#/$defs/x' }],
    ['a reference elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['a reference to itself', { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }],
    ['nothing matches: false', false],
    ['nothing matches: empty bounds', { type: 'integer', minimum: 5, maximum: 4 }],
    [
      'nothing matches: an endless value',
      { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] },
    ],
    [
      'nothing matches: a required property that is forbidden',
      { type: 'object', required: ['a'], additionalProperties: false },
    ],
    ['nothing matches: allOf that contradicts itself', { allOf: [{ type: 'string' }, { type: 'null' }] }],
  ])('is the caller’s error: %s', (_name, schema) => {
    expect(thrown(schema)).toMatchObject({ name: 'GenerationError', code: 'invalid-request' });
  });

  test.each<[string, () => JsonSchema]>([
    ['many states', () => ({ type: 'string', pattern: '(a|b)*a(a|b){14}' })],
    ['nested repetition', () => ({ type: 'string', pattern: '((a{1,99}){1,99}){1,99}' })],
    ['a huge count', () => ({ type: 'array', minItems: 2_000_000_000 })],
    [
      'nested huge counts',
      () => ({ type: 'array', minItems: 1_000_000, items: { type: 'array', minItems: 1_000_000_000 } }),
    ],
    [
      'deep nesting',
      () => Array.from({ length: 50_000 }).reduce<JsonSchema>((items) => ({ type: 'array', items }), true),
    ],
    [
      'unions of unions',
      () => ({
        allOf: Array.from({ length: 20 }, (_, n) => ({
          anyOf: [{ properties: { [`a${n}`]: {} } }, { required: [`b${n}`] }],
        })),
      }),
    ],
    ['self reference through anyOf', () => ({ anyOf: [{ $ref: '#' }, { type: 'string' }] })],
    [
      'very many properties',
      () => ({
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`p${n}`, { const: n }])),
      }),
    ],
  ])('ends in an error, not in a hang: %s', (_name, schema) => {
    expect(thrown(schema())).toMatchObject({ name: 'GenerationError', code: 'unsupported' });
  });
});
