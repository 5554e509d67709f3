import { choice, type Expression } from '../gbnf/expression.js';
import { intersectAutomata, isEmptyLanguage } from '../language/automaton.js';
import { automatonRules, spellPlain } from '../language/automaton-rules.js';
import { decimalRangeRegex } from '../language/decimal-range.js';
import { integerRangeRegex } from '../language/integer-range.js';
import { automatonOfMultiples } from '../language/multiples-automaton.js';
import { automatonOfRegex } from '../language/regex-automaton.js';
import type { Bound, FlatSchema } from './flat-schema.js';
import type { SchemaCompiler } from './schema-compiler.js';
import { cannotEnforce, type SchemaPath } from './schema-problem.js';

const maxDivisor = 1000;
const largestInteger = 10 ** 18;
const formatBounds: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  int16: [-(2 ** 15), 2 ** 15 - 1],
  uint16: [0, 2 ** 16 - 1],
  int8: [-128, 127],
  uint8: [0, 255],
  uint64: [0, largestInteger],
};

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** The smallest whole number that all are divisors of; a fraction of one (0.5) divides every integer. */
function commonMultiple(divisors: readonly number[], path: SchemaPath): number {
  return divisors.reduce((multiple, divisor) => {
    const whole = Number.isInteger(1 / divisor) ? 1 : divisor;
    if (!Number.isInteger(whole))
      throw cannotEnforce('multipleOf', path, 'only whole numbers and powers of ten are supported');
    const next = (multiple * whole) / greatestCommonDivisor(multiple, whole);
    if (next > maxDivisor) throw cannotEnforce('multipleOf', path, `it is above ${maxDivisor}`);
    return next;
  }, 1);
}

function integerBound(
  bound: Bound | undefined,
  towards: 'up' | 'down',
  path: SchemaPath,
): bigint | undefined {
  if (!bound) return undefined;
  const { value, exclusive } = bound;
  const isOut = towards === 'up' ? value >= largestInteger : value <= -largestInteger;
  if (isOut)
    throw cannotEnforce(towards === 'up' ? 'minimum' : 'maximum', path, 'it has more than 18 digits');
  if (Math.abs(value) >= largestInteger) return undefined;
  const rounded = towards === 'up' ? Math.ceil(value) : Math.floor(value);
  const step = exclusive && rounded === value ? 1n : 0n;
  return towards === 'up' ? BigInt(rounded) + step : BigInt(rounded) - step;
}

export function integerExpression(
  { rules, json }: SchemaCompiler,
  schema: FlatSchema,
  path: SchemaPath,
): Expression {
  const [formatMin, formatMax] =
    schema.formats.map((name) => formatBounds[name]).find((bounds) => bounds) ?? [];
  const given = [
    integerBound(schema.min, 'up', path),
    formatMin === undefined ? undefined : BigInt(formatMin),
  ];
  const givenMax = [
    integerBound(schema.max, 'down', path),
    formatMax === undefined ? undefined : BigInt(formatMax),
  ];
  const min = given.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a));
  const max = givenMax.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a));
  const divisor = commonMultiple(schema.multiplesOf, path);
  if (min === undefined && max === undefined && divisor === 1) return json.integer;
  const regex = integerRangeRegex(min, max);
  if (regex === undefined) return choice();
  const range = automatonOfRegex(regex);
  const automaton = divisor === 1 ? range : intersectAutomata(range, automatonOfMultiples(divisor));
  return isEmptyLanguage(automaton) ? choice() : automatonRules(rules, 'integer', automaton, spellPlain);
}

/** How many digits after the point a divisor like 0.01 leaves; `undefined` for one that is no power of ten. */
function fractionDigits(divisor: number): number | undefined {
  const digits = Math.round(-Math.log10(divisor));
  return digits > 0 && divisor === Number(`1e-${digits}`) ? digits : undefined;
}

export function numberExpression(compiler: SchemaCompiler, schema: FlatSchema, path: SchemaPath): Expression {
  const { rules, json } = compiler;
  const digits = schema.multiplesOf.map(fractionDigits);
  // A multiple of a whole number is a whole number.
  if (digits.includes(undefined)) return integerExpression(compiler, schema, path);
  if (!schema.min && !schema.max && digits.length === 0) return json.number;
  if (schema.min?.value === 0 && !schema.min.exclusive && !schema.max && digits.length === 0)
    return json.positiveNumber;
  const allowed = digits.flatMap((count) => count ?? []);
  const range = decimalRangeRegex(
    schema.min,
    schema.max,
    ...(allowed.length > 0 ? [Math.min(...allowed)] : []),
  );
  if (range === 'none') return choice();
  if (range === 'too-large')
    throw cannotEnforce(schema.min ? 'minimum' : 'maximum', path, 'it has too many digits');
  return automatonRules(rules, 'number', automatonOfRegex(range.regex), spellPlain);
}
