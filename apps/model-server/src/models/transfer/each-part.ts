import { finished, type Readable } from 'node:stream';
import { readDirectly } from './direct-reads.js';

/**
 * Hands over each part of a body the moment it arrives. A part is only lent: its memory is used again once `take`
 * returns. A promise from `take` holds the body back until it is kept; `isEnough` ends the reading early.
 */
export async function eachPart(
  body: Readable,
  take: (part: Buffer) => Promise<void> | undefined,
  isEnough: () => boolean,
): Promise<void> {
  let isOver = false;
  let holding: Promise<void> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      finished(body, { writable: false }, (error) => (error ? reject(error) : resolve()));
      const receive = (part: Buffer) => {
        if (isOver) return;
        const held = holding ? later(holding, Buffer.from(part)) : take(part);
        if (held) hold(held);
        else if (isEnough()) resolve();
      };
      // An encrypted connection may deliver a little more after it was paused.
      const later = async (before: Promise<void>, part: Buffer) => {
        await before;
        if (!isOver) await take(part);
      };
      const hold = (held: Promise<void>) => {
        holding = held;
        source.pause();
        held.then(() => {
          if (holding !== held) return;
          holding = undefined;
          if (isEnough()) resolve();
          else source.resume();
        }, reject);
      };
      // What came along with the head of the reply is in the body already, and goes first.
      const first = body.read() as Buffer | null;
      const source = readDirectly(body, receive);
      if (first) receive(first);
    });
  } finally {
    isOver = true;
  }
}
