import type { Automaton } from './automaton.js';
import { contains } from './code-point-set.js';
import { automatonOfRegex } from './regex-automaton.js';

export function accepts({ accepting, transitions }: Automaton, text: string): boolean {
  let state: number | undefined = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    state = transitions[state]?.find(({ set }) => contains(set, codePoint))?.to;
    if (state === undefined) return false;
  }
  return accepting[state] === true;
}

/** Whether a pattern finds a match in a text, in time that grows with the text only, whatever the pattern. */
export function patternMatches(pattern: string, text: string): boolean {
  return accepts(automatonOfRegex(pattern), text);
}
