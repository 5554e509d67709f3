import { finished, type Readable } from 'node:stream';
import { readDirectly } from './direct-reads.js';

/** What is done with the parts of a body. */
export interface PartTaker {
  /** Memory into which the next part may be read, so that it need not be copied; undefined when there is none now. */
  room(): Buffer | undefined;
  /**
   * A part that lies in the room that was given, or in memory that is used again once this returns. A promise holds
   * the body back until it is kept.
   */
  take(part: Buffer): Promise<void> | undefined;
  /** Ends the reading early. */
  isEnough(): boolean;
}

/** Hands over each part of a body the moment it arrives. */
export async function eachPart(body: Readable, taker: PartTaker): Promise<void> {
  let isOver = false;
  let holding: Promise<void> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      finished(body, { writable: false }, (error) => (error ? reject(error) : resolve()));
      const receive = (part: Buffer) => {
        if (isOver) return;
        try {
          const held = holding ? later(holding, Buffer.from(part)) : taker.take(part);
          if (held) hold(held);
          else if (taker.isEnough()) resolve();
        } catch (error) {
          // Thrown from here it would end the process: the socket is the caller.
          isOver = true;
          reject(error);
        }
      };
      // An encrypted connection may deliver a little more after it was paused.
      const later = async (before: Promise<void>, part: Buffer) => {
        await before;
        if (!isOver) await taker.take(part);
      };
      const hold = (held: Promise<void>) => {
        holding = held;
        source.pause();
        held.then(() => {
          if (holding !== held) return;
          holding = undefined;
          if (taker.isEnough()) resolve();
          else source.resume();
        }, reject);
      };
      // What came along with the head of the reply is in the body already, and goes first.
      const first = body.read() as Buffer | null;
      const room = () => (isOver || holding ? undefined : taker.room());
      const source = readDirectly(body, { room, receive });
      if (first) receive(first);
    });
  } finally {
    isOver = true;
  }
}
