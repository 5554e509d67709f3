import { randomBytes } from 'node:crypto';

/** Ids of this family: a prefix that says what it names, and 24 characters. */
export function newMessageId(): string {
  return `msg_${randomBytes(12).toString('hex')}`;
}

/** The family's own prefix on the id that the generator gave the call. */
export function toolUseId(callId: string): string {
  return `toolu_${callId.replace(/^call_/, '')}`;
}
