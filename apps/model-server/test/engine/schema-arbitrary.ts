import fc from 'fast-check';
import type { JsonSchema } from '../../src/generation/tool.js';

/** A schema and a value that matches it. */
export interface SchemaCase {
  readonly schema: JsonSchema;
  readonly value: unknown;
}

// Every kind of character that JSON, UTF-8 or a grammar could treat in its own way.
const unit = fc.constantFrom(...'aZ09 -"\\/\b\f\n\r\t\u0000\u001f\u007f\u0080é漢\u2028\uffff😀[]{}^');
const text = fc.string({ unit, maxLength: 6 });
const name = fc.constantFrom('a', 'b', 'name', 'x y', 'é', '"q"', '__proto__x', '1');

const string: fc.Arbitrary<SchemaCase> = text.chain((value) => {
  const length = [...value].length;
  return fc.record({
    schema: fc
      .record({
        minLength: fc.option(fc.integer({ min: 0, max: length }), { nil: undefined }),
        maxLength: fc.option(fc.integer({ min: length, max: length + 300 }), { nil: undefined }),
      })
      .map(({ minLength, maxLength }) => ({
        type: 'string',
        ...(minLength === undefined ? {} : { minLength }),
        ...(maxLength === undefined ? {} : { maxLength }),
      })),
    value: fc.constant(value),
  });
});

const patterned: fc.Arbitrary<SchemaCase> = fc
  .constantFrom<readonly [string, readonly string[]]>(
    ['^[a-c]{2,4}$', ['ab', 'cab', 'bbbb']],
    ['^(?:foo|ba[rz])+$', ['foo', 'bazfoo', 'barbarbaz']],
    ['\\d-\\d', ['1-2', 'é9-0"', '\n3-3']],
    ['^\\w+@\\w+\\.(com|org)$', ['a@b.com', '_0@Z.org']],
    ['^[^"\\\\\\n]*$', ['', 'a b!', '漢😀']],
    ['^["\\\\/\\t]+$', ['"', '\\', '\t"/\\']],
    ['^(a|ab)(c|bcd)(d*)$', ['abcd', 'ac', 'abbcdd', 'acdd']],
    ['^$|^[0-9]{3}$', ['', '123']],
    ['x|^y', ['x', 'yz', 'aaxb']],
    ['^(?:a*)*b$', ['b', 'aaab']],
    ['^\\p{Lu}\\p{Ll}+$', ['Éa', 'Ab']],
  )
  .chain(([pattern, samples]) =>
    fc.record({ schema: fc.constant({ type: 'string', pattern }), value: fc.constantFrom(...samples) }),
  );

const formatted: fc.Arbitrary<SchemaCase> = fc
  .constantFrom<readonly [string, readonly string[]]>(
    ['date', ['2024-02-29', '1999-12-31', '2000-02-29']],
    ['time', ['23:59:59Z', '00:00:00.5+01:30']],
    ['date-time', ['2024-02-29T12:00:00Z', '2023-06-30T01:02:03.123456-11:00']],
    ['uuid', ['123e4567-e89b-12d3-a456-426614174000']],
    ['email', ['ada@example.com', 'a.b+c@x-y.org']],
    ['ipv4', ['0.0.0.0', '255.249.10.1']],
    ['ipv6', ['::1', '2001:db8::ff00:42:8329', '1:2:3:4:5:6:7:8', 'fe80::']],
    ['hostname', ['example.com', 'a-b.c']],
    ['uri', ['https://example.com/a/b?c=d#e', 'mailto:ada@example.com', 'http://x:8080']],
    ['duration', ['P1Y2M3D', 'PT5M', 'P2W', 'P1DT12H']],
    ['json-pointer', ['/a/0/~1b', '']],
  )
  .chain(([format, samples]) =>
    fc.record({ schema: fc.constant({ type: 'string', format }), value: fc.constantFrom(...samples) }),
  );

const integer: fc.Arbitrary<SchemaCase> = fc.integer({ min: -100_000, max: 100_000 }).chain((value) =>
  fc.record({
    schema: fc
      .record(
        {
          minimum: fc.integer({ min: value - 2000, max: value }),
          exclusiveMinimum: fc.integer({ min: value - 2000, max: value - 1 }),
          maximum: fc.integer({ min: value, max: value + 2000 }),
          exclusiveMaximum: fc.integer({ min: value + 1, max: value + 2000 }),
          multipleOf: fc.constantFrom(...[1, 2, 3, 7, 10].filter((divisor) => value % divisor === 0)),
        },
        { requiredKeys: [] },
      )
      .map((bounds) => ({ type: 'integer', ...bounds })),
    value: fc.constant(value),
  }),
);

const number: fc.Arbitrary<SchemaCase> = fc.integer({ min: -5_000_000, max: 5_000_000 }).chain((scaled) => {
  const value = scaled / 1000;
  const near = (from: number, to: number) =>
    fc.integer({ min: scaled + from, max: scaled + to }).map((near) => near / 1000);
  return fc.record({
    schema: fc
      .record(
        {
          minimum: near(-3000, 0),
          exclusiveMinimum: near(-3000, -1),
          maximum: near(0, 3000),
          exclusiveMaximum: near(1, 3000),
        },
        { requiredKeys: [] },
      )
      .map((bounds) => ({ type: 'number', ...bounds })),
    value: fc.constant(value),
  });
});

/** The reference validator compares objects by these methods of theirs, so it cannot judge values that hide them. */
const hidesMethods = /"(?:valueOf|toString|constructor)":/;

const literal: fc.Arbitrary<SchemaCase> = fc
  .array(
    fc.jsonValue({ maxDepth: 1 }).filter((value) => !hidesMethods.test(JSON.stringify(value))),
    { minLength: 1, maxLength: 4 },
  )
  .chain((values) =>
    fc.record({
      schema: fc.constant(values.length === 1 ? { const: values[0] } : { enum: values }),
      value: fc.constantFrom(...values),
    }),
  );

const simple: fc.Arbitrary<SchemaCase> = fc.oneof(
  fc.constant({ schema: { type: 'null' }, value: null }),
  fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
  fc
    .jsonValue({ maxDepth: 2, noUnicodeString: false })
    .map((value) => ({ schema: {}, value: rounded(value) })),
  fc.constant({ schema: { type: ['string', 'null'], maxLength: 3 }, value: null }),
);

/** Numbers as the grammar writes them: none so small or large that it has a three-digit exponent. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Math.round(value % 1e9) || 0;
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rounded(item)]));
}

function arrayOf(item: fc.Arbitrary<SchemaCase>): fc.Arbitrary<SchemaCase> {
  const uniform = fc
    .tuple(item, fc.integer({ min: 0, max: 4 }), fc.nat(2), fc.nat(2))
    .map(([{ schema, value }, count, less, more]) => ({
      schema: { type: 'array', items: schema, minItems: Math.max(0, count - less), maxItems: count + more },
      value: Array.from({ length: count }, () => value),
    }));
  const tuple = fc
    .tuple(fc.array(item, { minLength: 1, maxLength: 3 }), fc.nat(3), fc.boolean())
    .map(([items, cut, closed]) => {
      const kept = Math.max(0, items.length - cut);
      return {
        schema: {
          type: 'array',
          prefixItems: items.map(({ schema }) => schema),
          minItems: kept,
          ...(closed ? { items: false } : {}),
        },
        value: items.slice(0, kept).map(({ value }) => value),
      };
    });
  return fc.oneof(uniform, tuple);
}

function objectOf(item: fc.Arbitrary<SchemaCase>): fc.Arbitrary<SchemaCase> {
  const member = fc.tuple(name, item, fc.boolean(), fc.boolean());
  const members = fc.uniqueArray(member, { selector: ([key]) => key, maxLength: 5 });
  const additional = fc.option(fc.tuple(fc.constantFrom('zz', 'extra'), item), { nil: undefined });
  return fc
    .tuple(members, fc.constantFrom('absent', 'false', 'extra'), additional)
    .map(([list, mode, extra]) => {
      const properties = Object.fromEntries(list.map(([key, { schema }]) => [key, schema]));
      const written = list.filter(([, , isRequired, isWritten]) => isRequired || isWritten);
      const isWritten = new Map<string, unknown>(written.map(([key, { value }]) => [key, value]));
      // Integer-like keys come first in every JavaScript object, in the schema as in the value.
      const value = Object.fromEntries(
        Object.keys(properties).flatMap((key) => (isWritten.has(key) ? [[key, isWritten.get(key)]] : [])),
      );
      const usesExtra = mode === 'extra' && extra !== undefined;
      return {
        schema: {
          type: 'object',
          properties,
          required: list.flatMap(([key, , isRequired]) => (isRequired ? [key] : [])),
          ...(mode === 'false' ? { additionalProperties: false } : {}),
          ...(usesExtra ? { additionalProperties: extra[1].schema } : {}),
        },
        value: usesExtra ? { ...value, [extra[0]]: extra[1].value } : value,
      };
    });
}

function unionOf(item: fc.Arbitrary<SchemaCase>): fc.Arbitrary<SchemaCase> {
  return fc.tuple(fc.array(item, { minLength: 1, maxLength: 3 }), fc.nat(2)).map(([cases, which]) => ({
    schema: { anyOf: cases.map(({ schema }) => schema) },
    value: cases[which % cases.length]?.value,
  }));
}

function mergedOf(item: fc.Arbitrary<SchemaCase>): fc.Arbitrary<SchemaCase> {
  return fc.tuple(item, item).map(([first, second]) => ({
    schema: {
      allOf: [
        {
          type: 'object',
          properties: { first: first.schema, both: { type: 'number', minimum: 2 } },
          required: ['first'],
        },
        { properties: { both: { type: 'integer' }, second: second.schema } },
      ],
    },
    value: { first: first.value, both: 3, second: second.value },
  }));
}

const leaf = fc.oneof(string, patterned, formatted, integer, number, literal, simple);

/** Random schemas of everything the converter honours, each with a value that matches it. */
export const schemaCase: fc.Arbitrary<SchemaCase> = fc.letrec<{ any: SchemaCase }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: leaf, weight: 4 },
    { arbitrary: arrayOf(tie('any')), weight: 1 },
    { arbitrary: objectOf(tie('any')), weight: 2 },
    { arbitrary: unionOf(tie('any')), weight: 1 },
    { arbitrary: mergedOf(tie('any')), weight: 1 },
  ),
})).any;
