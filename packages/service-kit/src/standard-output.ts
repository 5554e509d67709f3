import { writeSync } from 'node:fs';

const standardOutput = 1;
const pauseMs = 10;
/** A reader that falls behind is waited for this long, but only once: it must not hold up the service with every line. */
const mostPauses = 100;
const pause = new Int32Array(new SharedArrayBuffer(4));

let isGone = false;
let isBehind = false;

/** Whether a person reads along. Asking has an effect that is wanted: a write to a full pipe fails instead of waiting. */
export function isTerminal(): boolean {
  return Boolean(process.stdout.isTTY);
}

/**
 * Writes at once, so that nothing is lost when the process ends on the spot. Whoever reads may have stopped reading, or
 * have gone: lines are lost then, and the service goes on.
 */
export function writeToStandardOutput(text: string): void {
  let rest = Buffer.from(text);
  for (let pauses = 0; rest.length > 0 && !isGone; ) {
    try {
      rest = rest.subarray(writeSync(standardOutput, rest));
      isBehind = false;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') isGone = true;
      if (isGone || isBehind) return;
      Atomics.wait(pause, 0, 0, pauseMs);
      pauses += 1;
      isBehind = pauses === mostPauses;
    }
  }
}
