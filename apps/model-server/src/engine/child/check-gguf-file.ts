import { open } from 'node:fs/promises';
import { GenerationError } from '../../generation/generation-error.js';

const knownVersions = [2, 3];
/** The shortest header: magic, version and two counts. */
const headerBytes = 24;

/** Looks at the first bytes of a file, before the slow start of the native code, and says what is wrong with them. */
export async function checkGgufFile(path: string): Promise<void> {
  const head = Buffer.alloc(headerBytes);
  let length: number;
  try {
    const file = await open(path);
    try {
      length = (await file.read(head, 0, headerBytes, 0)).bytesRead;
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw unloadable(code === 'ENOENT' ? 'its file is missing' : `its file cannot be read (${code})`, error);
  }
  if (length < headerBytes || head.toString('latin1', 0, 4) !== 'GGUF') {
    throw unloadable('its file is not a GGUF file');
  }
  const version = head.readUInt32LE(4);
  if (version === 1)
    throw unloadable('its file is GGUF version 1, which is too old; convert it to version 3');
  if (!knownVersions.includes(version)) {
    throw unloadable(`its file is GGUF version ${version}, which this server does not know`);
  }
}

export function unloadable(reason: string, cause?: unknown): GenerationError {
  return new GenerationError('model-unloadable', `the model cannot be loaded: ${reason}`, {
    ...(cause === undefined ? {} : { cause }),
  });
}
