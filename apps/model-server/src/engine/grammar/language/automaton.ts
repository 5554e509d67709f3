import { anyCodePoint, type CodePointSet, complement, intersection, union } from './code-point-set.js';
import { RegexError } from './regex-node.js';

export interface Transition {
  readonly set: CodePointSet;
  readonly to: number;
}

/** A deterministic automaton over code points; state 0 is the start, the sets of one state do not overlap. */
export interface Automaton {
  readonly accepting: readonly boolean[];
  readonly transitions: readonly (readonly Transition[])[];
}

/** Beyond this many states a language is refused: its grammar would be too large to walk for every token. */
export const maxStates = 4000;

/** Numbers states as they are met, and lists those whose transitions are still to be found. */
export function createStateNumbers() {
  const numbers = new Map<string, number>();
  return (key: string): { readonly number: number; readonly isNew: boolean } => {
    const known = numbers.get(key);
    if (known !== undefined) return { number: known, isNew: false };
    if (numbers.size >= maxStates) throw new RegexError('it needs too many states');
    numbers.set(key, numbers.size);
    return { number: numbers.size - 1, isNew: true };
  };
}

/** Texts that both automata accept. */
export function intersectAutomata(a: Automaton, b: Automaton): Automaton {
  const stateOf = createStateNumbers();
  const accepting: boolean[] = [];
  const transitions: Transition[][] = [];
  const waiting: [number, number][] = [];
  const visit = (left: number, right: number): number => {
    const { number, isNew } = stateOf(`${left},${right}`);
    if (isNew) waiting.push([left, right]);
    return number;
  };
  visit(0, 0);
  for (let next = 0; next < waiting.length; next += 1) {
    const [left, right] = waiting[next] ?? [0, 0];
    accepting.push(a.accepting[left] === true && b.accepting[right] === true);
    const list: Transition[] = [];
    for (const first of a.transitions[left] ?? []) {
      for (const second of b.transitions[right] ?? []) {
        const set = intersection(first.set, second.set);
        if (set.length > 0) list.push({ set, to: visit(first.to, second.to) });
      }
    }
    transitions.push(list);
  }
  return withoutDeadEnds({ accepting, transitions });
}

/** Texts that the automaton does not accept. */
export function complementAutomaton({ accepting, transitions }: Automaton): Automaton {
  const sink = accepting.length;
  const total = transitions.map((list) => {
    const rest = complement(union(...list.map(({ set }) => set)));
    return rest.length > 0 ? [...list, { set: rest, to: sink }] : list;
  });
  return withoutDeadEnds({
    accepting: [...accepting.map((accepts) => !accepts), true],
    transitions: [...total, [{ set: anyCodePoint, to: sink }]],
  });
}

/** Exactly these texts. */
export function automatonOfTexts(texts: readonly string[]): Automaton {
  const accepting: boolean[] = [false];
  const branches: Map<number, number>[] = [new Map()];
  for (const text of texts) {
    let state = 0;
    for (const character of text) {
      const codePoint = character.codePointAt(0) ?? 0;
      const known = branches[state]?.get(codePoint);
      const to = known ?? branches.length;
      if (known === undefined) {
        branches[state]?.set(codePoint, to);
        branches.push(new Map());
        accepting.push(false);
      }
      state = to;
    }
    accepting[state] = true;
  }
  const transitions = branches.map((branch) =>
    [...branch].map(([codePoint, to]): Transition => ({ set: [[codePoint, codePoint]], to })),
  );
  return { accepting, transitions };
}

/** Texts of so many characters. */
export function automatonOfLength(min: number, max: number | undefined): Automaton {
  const last = max ?? min;
  if (last >= maxStates) throw new RegexError('it needs too many states');
  const accepting = Array.from({ length: last + 1 }, (_, state) => state >= min);
  const transitions = accepting.map((_, state): Transition[] => {
    if (state < last) return [{ set: anyCodePoint, to: state + 1 }];
    return max === undefined ? [{ set: anyCodePoint, to: state }] : [];
  });
  return { accepting, transitions };
}

export function isEmptyLanguage({ accepting }: Automaton): boolean {
  return !accepting.includes(true);
}

/** The same language without the states from which no end can be reached; those would trap a model. */
export function withoutDeadEnds({ accepting, transitions }: Automaton): Automaton {
  const sources = accepting.map((): number[] => []);
  transitions.forEach((list, from) => {
    for (const { to } of list) sources[to]?.push(from);
  });
  const alive = new Set<number>();
  const waiting = accepting.flatMap((accepts, state) => (accepts ? [state] : []));
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    if (alive.has(state)) continue;
    alive.add(state);
    waiting.push(...(sources[state] ?? []));
  }
  const kept = accepting.flatMap((_, state) => (state === 0 || alive.has(state) ? [state] : []));
  const numbers = new Map(kept.map((state, index) => [state, index]));
  return {
    accepting: kept.map((state) => accepting[state] === true),
    transitions: kept.map((state) =>
      (transitions[state] ?? []).flatMap(({ set, to }) => {
        const number = numbers.get(to);
        return number === undefined || !alive.has(to) ? [] : [{ set, to: number }];
      }),
    ),
  };
}
