import { writeSync } from 'node:fs';

const standardOutput = 1;
const pauseMs = 10;
/** A reader that falls behind is waited for this long, all lines together: it must not hold up the service with each. */
const mostPauses = 100;
/** Who has kept up for so long is waited for again. */
const calmMs = 10_000;
/** The pipe, the file or the terminal is no more. Any other failure, such as a full disk, may pass. */
const goneForGood = ['EPIPE', 'EBADF', 'EIO'];
const pause = new Int32Array(new SharedArrayBuffer(4));

let isGone = false;
let isWithinLine = false;
let pausesLeft = mostPauses;
let isBehind = false;
let behindAt = 0;

/** Whether a person reads along. Asking has an effect that is wanted: a write to a full pipe fails instead of waiting. */
export function isTerminal(): boolean {
  return Boolean(process.stdout.isTTY);
}

/**
 * Writes lines at once, so that nothing is lost when the process ends on the spot. Whoever reads may be slow, have
 * stopped reading, or have gone: lines are lost then, and the service goes on.
 */
export function writeToStandardOutput(lines: string): void {
  // What is left of a line that was cut short must not run into the next.
  let rest = Buffer.from(isWithinLine ? `\n${lines}` : lines);
  while (rest.length > 0 && !isGone) {
    try {
      rest = rest.subarray(writeSync(standardOutput, rest));
      isWithinLine = rest.length > 0;
      isBehind = false;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      isGone = goneForGood.includes(code);
      if (code !== 'EAGAIN' || !waitForReader()) return;
    }
  }
}

/** False when the reader has had all the patience there is. */
function waitForReader(): boolean {
  const now = performance.now();
  if (!isBehind && now - behindAt > calmMs) pausesLeft = mostPauses;
  isBehind = true;
  behindAt = now;
  if (pausesLeft === 0) return false;
  pausesLeft -= 1;
  Atomics.wait(pause, 0, 0, pauseMs);
  return true;
}
