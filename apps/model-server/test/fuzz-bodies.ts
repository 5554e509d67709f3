import fc from 'fast-check';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Values that parsers have tripped over before. */
const awkward: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  null,
  true,
  false,
  0,
  -1,
  1,
  0.5,
  1e308,
  -1e308,
  2 ** 53,
  '',
  'x',
  '-1m',
  'null',
  '\u0000',
  '\ud800',
  '__proto__',
  'x'.repeat(5000),
  [],
  [[]],
  [null],
  [1, 'a'],
  {},
  { '': {} },
  { type: 'text' },
  { type: 'function' },
  { type: 'nobody-knows' },
  { $ref: '#' },
);

const anything: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: awkward },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json> },
);

/** A sound body with one to three of its values, at any depth, taken away or replaced; or something else entirely. */
export function mutatedBody(sound: Json): fc.Arbitrary<Json> {
  const change = fc.record({
    at: fc.nat(),
    value: fc.option(anything, { nil: undefined, freq: 6 }),
  });
  const mutated = fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce<Json>((body, { at, value }) => replaceAt(body, at, value), sound));
  return fc.oneof({ weight: 12, arbitrary: mutated }, { weight: 1, arbitrary: anything });
}

/** Replaces the value at the `at`-th place, counted round and round; `undefined` takes it away. */
function replaceAt(body: Json, at: number, value: Json | undefined): Json {
  const places = pathsOf(body, []);
  const path = places[at % places.length] as readonly (string | number)[];
  const [changed] = [withValue(body, path, value)];
  return changed ?? null;
}

function pathsOf(value: Json, path: readonly (string | number)[]): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Array.isArray(value)
    ? value.flatMap((one: Json, index) => pathsOf(one, [...path, index]))
    : Object.entries(value as { [key: string]: Json }).flatMap(([key, one]) => pathsOf(one, [...path, key]));
  return [path, ...inner];
}

function withValue(
  body: Json,
  [key, ...rest]: readonly (string | number)[],
  value: Json | undefined,
): Json | undefined {
  if (key === undefined) return value;
  if (Array.isArray(body)) {
    return body.flatMap((one: Json, index) => {
      if (index !== key) return [one];
      const changed = withValue(one, rest, value);
      return changed === undefined ? [] : [changed];
    });
  }
  const entries = Object.entries(body as { [key: string]: Json }).flatMap(([name, one]) => {
    if (name !== key) return [[name, one] as const];
    const changed = withValue(one, rest, value);
    return changed === undefined ? [] : [[name, changed] as const];
  });
  return Object.fromEntries(entries);
}
