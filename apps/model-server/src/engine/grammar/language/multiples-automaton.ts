import type { Automaton, Transition } from './automaton.js';

function digitMoves(remainder: number, divisor: number): Transition[] {
  return Array.from({ length: 10 }, (_, digit): Transition => {
    const code = 0x30 + digit;
    return { set: [[code, code]], to: 1 + ((remainder * 10 + digit) % divisor) };
  });
}

/** Digit strings, with an optional minus sign, of the multiples of a whole number: its states are the remainders. */
export function automatonOfMultiples(divisor: number): Automaton {
  const remainders = Array.from({ length: divisor }, (_, remainder) => remainder);
  const minus: Transition = { set: [[0x2d, 0x2d]], to: 1 };
  return {
    accepting: [false, ...remainders.map((remainder) => remainder === 0)],
    transitions: [
      [...digitMoves(0, divisor), minus],
      ...remainders.map((remainder) => digitMoves(remainder, divisor)),
    ],
  };
}
