/** A set of Unicode code points: ranges, both ends included, in order, neither touching nor overlapping. */
export type CodePointSet = readonly (readonly [from: number, to: number])[];

export const anyCodePoint: CodePointSet = [
  [0, 0xd7ff],
  [0xe000, 0x10ffff],
];

/** Sorts, joins and cleans ranges that may overlap. */
export function codePointSet(ranges: readonly (readonly [number, number])[]): CodePointSet {
  const sorted = ranges.filter(([from, to]) => from <= to).sort((a, b) => a[0] - b[0]);
  const result: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = result.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

/** The set of the characters of a text. */
export function charactersOf(text: string): CodePointSet {
  return codePointSet(
    [...text].map((character): [number, number] => {
      const codePoint = character.codePointAt(0) ?? 0;
      return [codePoint, codePoint];
    }),
  );
}

export function union(...sets: readonly CodePointSet[]): CodePointSet {
  return codePointSet(sets.flat());
}

export function intersection(a: CodePointSet, b: CodePointSet): CodePointSet {
  const result: [number, number][] = [];
  let i = 0;
  let j = 0;
  for (let left = a[i], right = b[j]; left && right; left = a[i], right = b[j]) {
    const from = Math.max(left[0], right[0]);
    const to = Math.min(left[1], right[1]);
    if (from <= to) result.push([from, to]);
    if (left[1] < right[1]) i += 1;
    else j += 1;
  }
  return codePointSet(result);
}

export function complement(set: CodePointSet): CodePointSet {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    gaps.push([next, from - 1]);
    next = to + 1;
  }
  gaps.push([next, 0x10ffff]);
  return intersection(codePointSet(gaps), anyCodePoint);
}

export function difference(a: CodePointSet, b: CodePointSet): CodePointSet {
  return intersection(a, complement(b));
}

export function contains(set: CodePointSet, codePoint: number): boolean {
  return set.some(([from, to]) => from <= codePoint && codePoint <= to);
}
