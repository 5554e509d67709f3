/** Digits of integers are counted to this length, so that every one fits into 64 bits. */
const maxDigits = 18;

const zeros = (length: number) => '0'.repeat(length);
const nines = (length: number) => '9'.repeat(length);

function digit(from: number, to: number): string {
  return from === to ? String(from) : `[${from}-${to}]`;
}

function anyDigits(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '[0-9]' : `[0-9]{${count}}`;
}

/** A regular expression for the digit strings from `low` to `high`, both of one length. */
export function digitsBetween(low: string, high: string): string {
  if (low === '') return '';
  const rest = low.length - 1;
  if (low.slice(1) === zeros(rest) && high.slice(1) === nines(rest)) {
    return digit(Number(low[0]), Number(high[0])) + anyDigits(rest);
  }
  const first = Number(low[0]);
  const last = Number(high[0]);
  if (first === last) return first + digitsBetween(low.slice(1), high.slice(1));
  const options = [first + digitsBetween(low.slice(1), nines(rest))];
  if (first + 1 <= last - 1) options.push(digit(first + 1, last - 1) + anyDigits(rest));
  options.push(last + digitsBetween(zeros(rest), high.slice(1)));
  return `(?:${options.join('|')})`;
}

/** A regular expression for the whole numbers from `low` to `high`, none below 0, without leading zeros. */
export function naturalsBetween(low: bigint, high: bigint): string[] {
  const options: string[] = [];
  for (let length = 1; length <= maxDigits; length += 1) {
    const smallest = length === 1 ? 0n : 10n ** BigInt(length - 1);
    const largest = 10n ** BigInt(length) - 1n;
    const from = low > smallest ? low : smallest;
    const to = high < largest ? high : largest;
    if (from <= to) options.push(digitsBetween(String(from), String(to)));
  }
  return options;
}

/** A regular expression for the integers between two bounds, each left out for none; `undefined` when there is none. */
export function integerRangeRegex(min: bigint | undefined, max: bigint | undefined): string | undefined {
  const largest = 10n ** BigInt(maxDigits) - 1n;
  const low = min ?? -largest;
  const high = max ?? largest;
  const options: string[] = [];
  if (low < 0n) {
    const negatives = naturalsBetween(high < 0n ? -high : 1n, -low);
    if (negatives.length > 0) options.push(`-(?:${negatives.join('|')})`);
  }
  if (high >= 0n) options.push(...naturalsBetween(low > 0n ? low : 0n, high));
  return options.length > 0 ? `^(?:${options.join('|')})$` : undefined;
}
