import type { Automaton, Transition } from './automaton.js';
import { union } from './code-point-set.js';

// Refining costs up to the square of the states; larger automata are used as they are.
const maxStatesToMinimize = 500;

function signature(state: number, groups: readonly number[], { transitions }: Automaton): string {
  const sets = new Map<number, Transition['set']>();
  for (const { set, to } of transitions[state] ?? []) {
    const group = groups[to] ?? 0;
    sets.set(group, union(sets.get(group) ?? [], set));
  }
  const moves = [...sets].sort(([a], [b]) => a - b).map(([group, set]) => `${group}:${set.join(';')}`);
  return `${groups[state]}|${moves.join('|')}`;
}

/** The smallest automaton of the same language: states that nothing tells apart become one. */
export function minimizeAutomaton(automaton: Automaton): Automaton {
  if (automaton.accepting.length > maxStatesToMinimize) return automaton;
  let groups = automaton.accepting.map((accepts): number => (accepts ? 1 : 0));
  for (let count = 0; ; ) {
    const numbers = new Map<string, number>();
    groups = groups.map((_, state) => {
      const key = signature(state, groups, automaton);
      const known = numbers.get(key) ?? numbers.size;
      numbers.set(key, known);
      return known;
    });
    if (numbers.size === count) break;
    count = numbers.size;
  }
  // Groups are numbered in the order of their first states, so the start stays number 0.
  const first = new Map<number, number>();
  groups.forEach((group, state) => {
    if (!first.has(group)) first.set(group, state);
  });
  const members = [...first.values()];
  return {
    accepting: members.map((state) => automaton.accepting[state] === true),
    transitions: members.map((state) => {
      const sets = new Map<number, Transition['set']>();
      for (const { set, to } of automaton.transitions[state] ?? []) {
        const group = groups[to] ?? 0;
        sets.set(group, union(sets.get(group) ?? [], set));
      }
      return [...sets].map(([to, set]): Transition => ({ set, to }));
    }),
  };
}
