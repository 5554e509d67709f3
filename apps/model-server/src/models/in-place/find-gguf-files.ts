import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseShardName } from '../gguf/gguf-shards.js';

const maxDepth = 6;
const maxFiles = 20_000;

/** Every model below a folder, sorted, one path each: whole files and first shards, no projectors, no drafts. */
export async function findGgufFiles(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  await walk(root, 0, new Set(), found);
  return found.sort();
}

async function walk(folder: string, depth: number, visited: Set<string>, found: string[]): Promise<void> {
  const entries = await safely(() => readdir(folder, { withFileTypes: true }));
  // Links may lead back up: each real folder is read once.
  const real = await safely(() => realpath(folder));
  if (!entries || real === undefined || visited.has(real)) return;
  visited.add(real);
  for (const entry of entries) {
    if (entry.name.startsWith('.') || found.length >= maxFiles) continue;
    const full = path.join(folder, entry.name);
    const info = entry.isSymbolicLink() ? await safely(() => stat(full)) : entry;
    if (info?.isDirectory()) {
      if (depth < maxDepth) await walk(full, depth + 1, visited, found);
    } else if (info?.isFile() && isModelFile(entry.name)) {
      found.push(full);
    }
  }
}

export function isModelFile(fileName: string): boolean {
  if (!/\.gguf$/i.test(fileName) || /(?:^|[-_.])mmproj[-_.]/i.test(fileName)) return false;
  const shard = parseShardName(fileName);
  return shard === undefined || shard.index === 1;
}

async function safely<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
