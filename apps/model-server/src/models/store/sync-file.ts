import { open } from 'node:fs/promises';

/** Waits until the bytes of a file are on its disk, where a crash cannot take them any more. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}
