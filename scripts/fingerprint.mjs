import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A hash over the names and contents of files, for telling whether a step must run again. */
export async function fingerprint(root, files) {
  const hash = createHash('sha256').update(process.version);
  for (const file of [...files].sort()) {
    hash.update(`\0${file}\0`).update(await readFile(path.join(root, file)));
  }
  return hash.digest('hex');
}

/** All files below a folder, relative to the root, leaving out what is installed or built. */
export async function filesBelow(root, folder) {
  const found = [];
  for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.name === 'node_modules' || entry.name === 'dist') continue;
    if (entry.isDirectory()) found.push(...(await filesBelow(root, name)));
    else if (entry.isFile()) found.push(name);
  }
  return found;
}

/** Runs a step unless its stamp says that it ran to its end on the same input, and what it made is still there. */
export async function unlessUpToDate({ stampFile, wanted, made }, step) {
  const stamp = await readFile(stampFile, 'utf8').catch(() => '');
  if (stamp === wanted && made.every((name) => existsSync(name))) return false;
  await step();
  await writeFile(stampFile, wanted);
  return true;
}
