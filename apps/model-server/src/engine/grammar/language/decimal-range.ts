import { digitsBetween, naturalsBetween } from './integer-range.js';

// Fifteen digits in all: as many as a double tells apart, so that a strict bound is strict after parsing too.
const maxDigits = 15;
const usualIntegerDigits = 9;

/** A bound as exact decimal digits. */
export interface DecimalBound {
  readonly value: number;
  readonly exclusive: boolean;
}

interface Decimal {
  readonly integer: bigint;
  /** Digits after the point, without zeros at the end. */
  readonly fraction: string;
}

/** The decimal digits of a bound's absolute value, as short as JSON writes them. */
function decimalOf(value: number): Decimal {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(Math.abs(value)));
  const exponent = Number(match?.[3] ?? 0);
  const whole = match?.[1] ?? '0';
  const fraction = match?.[2] ?? '';
  if (exponent >= 0) {
    const shifted = fraction.padEnd(exponent, '0');
    return { integer: BigInt(whole + shifted.slice(0, exponent)), fraction: shifted.slice(exponent) };
  }
  return {
    integer: 0n,
    fraction: ('0'.repeat(-exponent - whole.length) + whole + fraction).replace(/0+$/, ''),
  };
}

function fractionRegex(
  low: string | undefined,
  lowExclusive: boolean,
  high: string | undefined,
  highExclusive: boolean,
  digits: number,
): string[] {
  // Fractions of one length each, padded with zeros, are compared as whole numbers.
  const options: string[] = [];
  for (let length = 1; length <= digits; length += 1) {
    const scale = 10n ** BigInt(length);
    const floorOf = (fraction: string) => BigInt(fraction.slice(0, length).padEnd(length, '0'));
    const isExact = (fraction: string) => fraction.length <= length;
    let from = 0n;
    let to = scale - 1n;
    if (low !== undefined) from = floorOf(low) + (isExact(low) && !lowExclusive ? 0n : 1n);
    if (high !== undefined) to = floorOf(high) - (isExact(high) && highExclusive ? 1n : 0n);
    if (from <= to)
      options.push(digitsBetween(String(from).padStart(length, '0'), String(to).padStart(length, '0')));
  }
  return options;
}

/** Numbers with one integer part, whose fraction lies between two bounds (each may be missing). */
function withFraction(
  integer: bigint,
  low: DecimalPart | undefined,
  high: DecimalPart | undefined,
  digits: number,
): string[] {
  const options: string[] = [];
  const wholeIsLow = low !== undefined && (low.fraction !== '' || low.exclusive);
  const wholeIsHigh = high?.fraction === '' && high.exclusive;
  if (!wholeIsLow && !wholeIsHigh) options.push(String(integer));
  const fractions = fractionRegex(
    low?.fraction,
    low?.exclusive ?? false,
    high?.fraction,
    high?.exclusive ?? false,
    digits,
  );
  if (fractions.length > 0) options.push(`${integer}\\.(?:${fractions.join('|')})`);
  return options;
}

interface DecimalPart {
  readonly fraction: string;
  readonly exclusive: boolean;
}

/** Numbers of at least 0 between two bounds. */
function magnitudes(
  low: (Decimal & { exclusive: boolean }) | undefined,
  high: (Decimal & { exclusive: boolean }) | undefined,
  digits: number,
): string[] {
  const first = low?.integer ?? 0n;
  const last = high?.integer ?? 10n ** BigInt(maxDigits - digits) - 1n;
  if (first > last) return [];
  if (first === last) return withFraction(first, low, high, digits);
  const options: string[] = [];
  if (low) options.push(...withFraction(first, low, undefined, digits));
  const between = naturalsBetween(low ? first + 1n : first, high ? last - 1n : last);
  if (between.length > 0 && (low ? first + 1n : first) <= (high ? last - 1n : last)) {
    options.push(`(?:${between.join('|')})${digits > 0 ? `(?:\\.[0-9]{1,${digits}})?` : ''}`);
  }
  if (high) options.push(...withFraction(last, undefined, high, digits));
  return options;
}

/**
 * A regular expression for the decimal numbers between two bounds, without exponents. `'none'` when there is no such
 * number, `'too-large'` when a bound leaves only numbers of more digits than a double tells apart.
 */
export function decimalRangeRegex(
  min: DecimalBound | undefined,
  max: DecimalBound | undefined,
  maxFractionDigits = maxDigits - usualIntegerDigits,
): { readonly regex: string } | 'none' | 'too-large' {
  const limit = 10 ** maxDigits;
  if ((min && min.value >= limit) || (max && max.value <= -limit)) return 'too-large';
  // A bound beyond all that is generated asks nothing.
  const lowest = min && min.value > -limit ? { ...decimalOf(min.value), ...min } : undefined;
  const highest = max && max.value < limit ? { ...decimalOf(max.value), ...max } : undefined;
  const integerDigits = Math.max(
    usualIntegerDigits,
    ...[lowest, highest].map((bound) => String(bound?.integer ?? 0n).length),
  );
  const digits = Math.min(maxFractionDigits, maxDigits - integerDigits);
  const options: string[] = [];
  // Below zero the bounds change places: the larger magnitude is the smaller number.
  if (!lowest || lowest.value < 0) {
    const nearest = highest && highest.value <= 0 ? highest : { integer: 0n, fraction: '', exclusive: true };
    const negative = magnitudes(nearest, lowest, digits);
    if (negative.length > 0) options.push(`-(?:${negative.join('|')})`);
  }
  if (!highest || highest.value >= 0) {
    const low = lowest && lowest.value >= 0 ? lowest : undefined;
    if (!(highest?.value === 0 && highest.exclusive)) options.push(...magnitudes(low, highest, digits));
  }
  return options.length > 0 ? { regex: `^(?:${options.join('|')})$` } : 'none';
}
