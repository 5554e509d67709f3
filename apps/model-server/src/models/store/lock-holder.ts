import { randomUUID } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { z } from 'zod';

/** Who holds a lock: enough to find the process, and to know it from a later one with the same number. */
const holderSchema = z.object({
  pid: z.number().int().positive(),
  host: z.string(),
  /** Containers may share a host's name and still number their processes apart; only Linux tells. */
  processes: z.string().optional(),
  /** When the process began, in the kernel's own count; only Linux tells. */
  begun: z.string().optional(),
  id: z.string(),
});

export type LockHolder = z.output<typeof holderSchema>;

export async function thisHolder(): Promise<LockHolder> {
  const begun = await beginOf(process.pid);
  const processes = await processesHere();
  return {
    pid: process.pid,
    host: hostname(),
    ...(processes === undefined ? {} : { processes }),
    ...(begun === undefined ? {} : { begun }),
    id: randomUUID(),
  };
}

export function parseHolder(text: string): LockHolder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * Whether the process lives. Undefined for one of another machine or container, which cannot be seen from here, and where
 * the system does not tell when it began: a later one may have its number.
 */
export async function isAlive(holder: LockHolder): Promise<boolean | undefined> {
  const here = await processesHere();
  if (holder.host !== hostname() || (holder.processes ?? here) !== here) return undefined;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const begun = await beginOf(holder.pid);
  return holder.begun === undefined || begun === undefined ? undefined : begun === holder.begun;
}

const ended = 'ended';

/** Undefined where the system does not tell, or not of the processes of others. */
async function beginOf(pid: number): Promise<string | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The program's name, in brackets, may hold spaces; what follows it does not.
    const facts = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // One that has ended keeps its number until its parent asks how, which in a container may be never.
    const hasEnded = facts[0] === 'Z' || facts[0] === 'X';
    return hasEnded ? ended : facts[19];
  } catch {
    return undefined;
  }
}

async function processesHere(): Promise<string | undefined> {
  return await readlink('/proc/self/ns/pid').catch(() => undefined);
}
