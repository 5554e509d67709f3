import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Not the work of whoever looks, and large. Name such a folder itself to look into it all the same. */
const skippedFolders = new Set(['.git', 'node_modules']);

/**
 * Every plain file at or below a path, in the order of names. Links below it are not followed: they could lead
 * anywhere, and what they lead to is found in its own place.
 */
export async function* walkFiles(
  start: string,
  onProblem: (file: string, error: NodeJS.ErrnoException) => void,
): AsyncIterable<string> {
  try {
    if (!(await stat(start)).isDirectory()) {
      yield start;
      return;
    }
  } catch (error) {
    onProblem(start, error as NodeJS.ErrnoException);
    return;
  }
  yield* below(start, onProblem);
}

async function* below(
  folder: string,
  onProblem: (file: string, error: NodeJS.ErrnoException) => void,
): AsyncIterable<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    onProblem(folder, error);
    return [];
  });
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) yield* below(file, onProblem);
    if (entry.isFile()) yield file;
  }
}
