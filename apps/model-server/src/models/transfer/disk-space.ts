import { statfs } from 'node:fs/promises';
import { GenerationError } from '../../generation/generation-error.js';
import { formatBytes } from './format-bytes.js';

export type FreeBytes = (folder: string) => Promise<number>;

export async function freeBytes(folder: string): Promise<number> {
  const info = await statfs(folder);
  return info.bavail * info.bsize;
}

/** A little must be left over: a full disk harms more than this download. */
const reserveBytes = 64 * 1024 * 1024;

/** Refuses a download that cannot fit, before its first byte. */
export async function requireFreeSpace(folder: string, neededBytes: number, free: FreeBytes): Promise<void> {
  const available = await free(folder);
  if (neededBytes === 0 || neededBytes + reserveBytes <= available) return;
  throw new GenerationError(
    'does-not-fit',
    `not enough disk space: ${formatBytes(neededBytes)} needed, ${formatBytes(available)} free`,
    { facts: { neededBytes, availableBytes: available } },
  );
}
