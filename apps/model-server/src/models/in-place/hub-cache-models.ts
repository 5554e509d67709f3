import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { quantLabel } from '../gguf/quant-label.js';
import { isValidModelName, modelNameKey } from '../model-name.js';
import type { NamedFile } from './file-models.js';
import { findGgufFiles } from './find-gguf-files.js';

/**
 * Names the GGUF files in a Hugging Face cache as a pull would: `hf.co/<user>/<repository>:<quantization>`.
 * A repository is read at the commit that `main` points to, else at its newest snapshot.
 */
export async function scanHubCache(root: string): Promise<readonly NamedFile[]> {
  const byKey = new Map<string, NamedFile>();
  for (const folder of await namesIn(root)) {
    const [kind, user, repository, ...more] = folder.split('--');
    if (kind !== 'models' || !user || !repository) continue;
    const snapshot = await currentSnapshot(path.join(root, folder));
    if (snapshot === undefined) continue;
    for (const file of await findGgufFiles(snapshot)) {
      const fileName = path.basename(file);
      const repositoryName = { host: 'hf.co', namespace: user, model: [repository, ...more].join('--') };
      const name = [quantLabel(fileName), fileName]
        .map((tag) => ({ ...repositoryName, tag: tag ?? '' }))
        .find((one) => isValidModelName(one) && !byKey.has(modelNameKey(one)));
      if (name) byKey.set(modelNameKey(name), { name, path: file });
    }
  }
  return [...byKey.values()];
}

async function currentSnapshot(repository: string): Promise<string | undefined> {
  const snapshots = path.join(repository, 'snapshots');
  try {
    const commit = (await readFile(path.join(repository, 'refs', 'main'), 'utf8')).trim();
    if (/^[0-9a-f]{7,64}$/.test(commit) && (await stat(path.join(snapshots, commit))).isDirectory()) {
      return path.join(snapshots, commit);
    }
  } catch {
    // No `main` here: another revision was asked for when it was fetched.
  }
  let newest: { readonly path: string; readonly time: number } | undefined;
  for (const name of await namesIn(snapshots)) {
    const snapshot = path.join(snapshots, name);
    const time = (await stat(snapshot)).mtimeMs;
    if (!newest || time > newest.time) newest = { path: snapshot, time };
  }
  return newest?.path;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch {
    return [];
  }
}
