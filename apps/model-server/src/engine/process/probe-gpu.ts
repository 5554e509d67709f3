import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { GpuReport } from '../ipc/gpu-report.js';
import { childEntry } from './child-entry.js';

/** The first look at a GPU may compile its programs, which takes long. */
const patienceMs = 60_000;

/** Asks the inference library itself, in a process of its own; undefined when that process did not survive it. */
export async function probeGpu(): Promise<GpuReport | undefined> {
  const child = fork(childEntry('gpu-probe'), [], {
    execArgv: [],
    stdio: 'ignore',
    signal: AbortSignal.timeout(patienceMs),
  });
  const answer = once(child, 'message').then(([report]) => report as GpuReport);
  const end = Promise.race([once(child, 'exit'), once(child, 'error')]).then(() => undefined);
  return await Promise.race([answer, end]).catch(() => undefined);
}
