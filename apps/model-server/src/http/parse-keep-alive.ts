import type { KeepAlive as WireKeepAlive } from '@hearth/protocol-types/common/keep-alive';
import type { KeepAlive } from '../generation/generation-request.js';

const secondsOf: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

/** Seconds, or a duration such as `1h30m`; the schema has checked the form. Below zero means for ever. */
export function parseKeepAlive(value: WireKeepAlive): KeepAlive {
  const seconds = typeof value === 'number' ? value : durationSeconds(value);
  return seconds < 0 ? 'forever' : { seconds };
}

function durationSeconds(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)];
  const sum = parts.reduce(
    (total, [, amount, unit]) => total + Number(amount) * (secondsOf[unit as string] as number),
    0,
  );
  return text.startsWith('-') ? -sum : sum;
}
