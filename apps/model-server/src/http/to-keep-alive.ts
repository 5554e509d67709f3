import type { KeepAlive as WireKeepAlive } from '@hearth/protocol-types/common/keep-alive';
import type { KeepAlive } from '../generation/generation-request.js';

const secondsPerUnit: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

/** Seconds or a duration such as `1h30m`, already checked by the schema; anything negative is for ever. */
export function toKeepAlive(value: WireKeepAlive | null | undefined): KeepAlive | undefined {
  if (value === undefined || value === null) return undefined;
  const seconds = typeof value === 'number' ? value : durationSeconds(value);
  return seconds < 0 ? 'forever' : { seconds };
}

function durationSeconds(text: string): number {
  let seconds = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    seconds += Number(amount) * (secondsPerUnit[unit as string] as number);
  }
  return text.startsWith('-') ? -seconds : seconds;
}
