export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Above this many cells the table of the exact method would be slow; the middle then counts as changed whole. */
const mostCells = 4_000_000;

const crumb = 3;

/** What changed between two values: by lines where one has several, else by characters. */
export function diffValues(before: string, after: string): { byLine: boolean; parts: readonly DiffPart[] } {
  const byLine = before.includes('\n') || after.includes('\n');
  const split = (text: string) => (byLine ? text.split(/(?<=\n)/) : [...text]);
  const parts = diffUnits(split(before), split(after));
  return { byLine, parts: byLine ? parts : withoutCrumbs(parts) };
}

/** A letter or two that two words share by chance only breaks the view: they count as changed with the rest. */
function withoutCrumbs(parts: readonly DiffPart[]): readonly DiffPart[] {
  const isCrumb = ({ kind, text }: DiffPart, index: number) =>
    kind === 'same' && [...text].length < crumb && index > 0 && index < parts.length - 1;
  const result: DiffPart[] = [];
  let removed = '';
  let added = '';
  const flush = () => {
    result.push({ kind: 'removed', text: removed }, { kind: 'added', text: added });
    removed = '';
    added = '';
  };
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'same' && !isCrumb(part, index)) {
      flush();
      result.push(part);
      continue;
    }
    if (part.kind !== 'added') removed += part.text;
    if (part.kind !== 'removed') added += part.text;
  }
  flush();
  return joinParts(result);
}

function diffUnits(before: readonly string[], after: readonly string[]): readonly DiffPart[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return joinParts([
    { kind: 'same', text: before.slice(0, start).join('') },
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    { kind: 'same', text: before.slice(before.length - end).join('') },
  ]);
}

/** The longest common subsequence, by the classic table. */
function diffMiddle(before: readonly string[], after: readonly string[]): DiffPart[] {
  if (before.length * after.length > mostCells) {
    return [
      { kind: 'removed', text: before.join('') },
      { kind: 'added', text: after.join('') },
    ];
  }
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const parts: DiffPart[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      parts.push({ kind: 'same', text: before[row] ?? '' });
      row += 1;
      column += 1;
    } else if (
      column >= after.length ||
      (row < before.length && at(row + 1, column) >= at(row, column + 1))
    ) {
      parts.push({ kind: 'removed', text: before[row] ?? '' });
      row += 1;
    } else {
      parts.push({ kind: 'added', text: after[column] ?? '' });
      column += 1;
    }
  }
  return parts;
}

function joinParts(parts: readonly DiffPart[]): readonly DiffPart[] {
  const joined: DiffPart[] = [];
  for (const part of parts) {
    if (part.text === '') continue;
    const last = joined.at(-1);
    if (last?.kind === part.kind)
      joined[joined.length - 1] = { kind: part.kind, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}
