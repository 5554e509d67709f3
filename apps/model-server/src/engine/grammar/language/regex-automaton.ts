import { type Automaton, createStateNumbers, type Transition, withoutDeadEnds } from './automaton.js';
import { anyCodePoint, type CodePointSet, codePointSet } from './code-point-set.js';
import { minimizeAutomaton } from './minimize-automaton.js';
import { parseRegex } from './parse-regex.js';
import { RegexError, type RegexNode } from './regex-node.js';

interface NfaState {
  readonly moves: { readonly set: CodePointSet; readonly to: number }[];
  readonly free: number[];
  /** May be passed only where the text starts, or ends. */
  readonly atStart: number[];
  readonly atEnd: number[];
}

const maxNfaStates = 20_000;

const made = new Map<string, Automaton>();
const maxMade = 200;

function buildNfa(node: RegexNode): { states: NfaState[]; start: number; end: number } {
  const states: NfaState[] = [];
  const add = (): number => {
    if (states.length >= maxNfaStates) throw new RegexError('it is too large');
    states.push({ moves: [], free: [], atStart: [], atEnd: [] });
    return states.length - 1;
  };

  /** Connects `from` to the returned state by everything the node matches. */
  function connect(part: RegexNode, from: number): number {
    switch (part.kind) {
      case 'set': {
        const to = add();
        states[from]?.moves.push({ set: part.set, to });
        return to;
      }
      case 'anchor': {
        const to = add();
        const state = states[from];
        (part.at === 'start' ? state?.atStart : state?.atEnd)?.push(to);
        return to;
      }
      case 'sequence':
        return part.parts.reduce((at, inner) => connect(inner, at), from);
      case 'choice': {
        const to = add();
        for (const option of part.options) {
          const entry = add();
          states[from]?.free.push(entry);
          states[connect(option, entry)]?.free.push(to);
        }
        return to;
      }
      case 'repeat':
        return connectRepeat(part.part, part.min, part.max, from);
      default:
        return part satisfies never;
    }
  }

  function connectRepeat(part: RegexNode, min: number, max: number | undefined, from: number): number {
    let at = from;
    for (let count = 0; count < min; count += 1) at = connect(part, at);
    const to = add();
    if (max === undefined) {
      const loop = add();
      states[at]?.free.push(loop);
      states[connect(part, loop)]?.free.push(loop);
      states[loop]?.free.push(to);
      return to;
    }
    states[at]?.free.push(to);
    for (let count = min; count < max; count += 1) {
      const entry = add();
      states[at]?.free.push(entry);
      at = connect(part, entry);
      states[at]?.free.push(to);
    }
    return to;
  }

  const start = add();
  const end = connect(node, start);
  return { states, start, end };
}

const anything: RegexNode = {
  kind: 'repeat',
  part: { kind: 'set', set: anyCodePoint },
  min: 0,
  max: undefined,
};

/**
 * The texts in which a regular expression finds a match (which is what JSON Schema means by `pattern`): anchors count
 * wherever they stand, and without them anything may come before and after.
 */
export function automatonOfRegex(source: string): Automaton {
  const known = made.get(source);
  if (known) return known;
  const automaton = minimizeAutomaton(buildAutomaton(source));
  // The oldest goes: requests repeat their schemas, and a schema its formats.
  if (made.size >= maxMade) made.delete(made.keys().next().value ?? '');
  made.set(source, automaton);
  return automaton;
}

function buildAutomaton(source: string): Automaton {
  const { states, start, end } = buildNfa({
    kind: 'sequence',
    parts: [anything, parseRegex(source), anything],
  });

  function closure(from: Iterable<number>, atStart: boolean, atEnd: boolean): Set<number> {
    const reached = new Set<number>();
    const waiting = [...from];
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      if (reached.has(number)) continue;
      reached.add(number);
      const state = states[number];
      waiting.push(...(state?.free ?? []));
      if (atStart) waiting.push(...(state?.atStart ?? []));
      if (atEnd) waiting.push(...(state?.atEnd ?? []));
    }
    return reached;
  }

  const stateOf = createStateNumbers();
  const sets: ReadonlySet<number>[] = [];
  const accepting: boolean[] = [];
  const transitions: Transition[][] = [];
  const visit = (set: ReadonlySet<number>, isStart = false): number => {
    // The start is a state of its own: only there may an anchor of the start be passed.
    const { number, isNew } = stateOf((isStart ? '^' : '') + [...set].sort((a, b) => a - b).join(','));
    if (isNew) sets.push(set);
    return number;
  };

  visit(closure([start], true, false), true);
  for (let next = 0; next < sets.length; next += 1) {
    const current = sets[next] ?? new Set<number>();
    accepting.push(closure(current, next === 0, true).has(end));
    const byTarget = new Map<number, [number, number][]>();
    for (const { range, targets } of pieces(current, states)) {
      const to = visit(closure(targets, false, false));
      byTarget.set(to, [...(byTarget.get(to) ?? []), range]);
    }
    transitions.push([...byTarget].map(([to, ranges]) => ({ set: codePointSet(ranges), to })));
  }
  return withoutDeadEnds({ accepting, transitions });
}

/** Cuts the ranges of all moves at each other's ends, so that every piece leads to one set of targets. */
function pieces(
  current: ReadonlySet<number>,
  states: readonly NfaState[],
): { range: [number, number]; targets: number[] }[] {
  const moves = [...current].flatMap((number) =>
    (states[number]?.moves ?? []).flatMap(({ set, to }) => set.map(([first, last]) => ({ first, last, to }))),
  );
  const cuts = [...new Set(moves.flatMap(({ first, last }) => [first, last + 1]))].sort((a, b) => a - b);
  moves.sort((a, b) => a.first - b.first);
  const result: { range: [number, number]; targets: number[] }[] = [];
  let active: typeof moves = [];
  let nextMove = 0;
  cuts.forEach((from, index) => {
    const to = (cuts[index + 1] ?? from) - 1;
    active = active.filter(({ last }) => last >= from);
    for (let move = moves[nextMove]; move && move.first <= from; move = moves[nextMove]) {
      active.push(move);
      nextMove += 1;
    }
    if (to >= from && active.length > 0)
      result.push({ range: [from, to], targets: active.map((move) => move.to) });
  });
  return result;
}
