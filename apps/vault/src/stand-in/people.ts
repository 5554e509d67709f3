import { createHash } from 'node:crypto';

/** Somebody who can sign in at a stand-in. */
export interface Person {
  readonly login: string;
  readonly name: string;
  readonly id: number;
  readonly trouble: Trouble | undefined;
}

/** Ways in which a provider can misbehave; each has a person who brings it about. */
export const troubles = {
  'trouble-slow': 'the provider never answers',
  'trouble-error': 'the provider answers with an error',
  'trouble-huge': 'the provider answers without end',
  'trouble-no-id': 'the provider names nobody',
  'trouble-unverified': 'the e-mail address is not verified',
} as const;

export type Trouble = keyof typeof troubles;

const known: readonly Person[] = [
  { login: 'ada', name: 'Ada Lovelace', id: 1_815_1210, trouble: undefined },
  { login: 'grace', name: 'Grace Hopper', id: 1_906_1209, trouble: undefined },
  { login: 'alan', name: 'Alan Turing', id: 1_912_0623, trouble: undefined },
];

export const suggestedPeople = known;

const loginPattern = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/;

/** Anybody with a possible name. The id follows from the name, so that it is the same after a restart. */
export function personOf(login: unknown): Person | undefined {
  if (typeof login !== 'string' || !loginPattern.test(login)) return undefined;
  const found = known.find((person) => person.login === login.toLowerCase());
  if (found) return found;
  const trouble = login in troubles ? (login as Trouble) : undefined;
  const digest = createHash('sha256').update(login.toLowerCase()).digest();
  return { login, name: login, id: 100_000_000 + digest.readUInt32BE(), trouble };
}
