import type { SecretRow } from './secret-rows.js';

/** The folder that holds everything. A folder is where its secrets say they are: it comes and goes with them. */
export const topFolder = '/';

export interface Folder {
  readonly path: string;
  readonly name: string;
  /** How many keys are in it and below. */
  readonly keys: number;
}

/** A folder as people write it (`payments`, `/payments/eu`) in the one form that the vault knows. */
export function folderIn(text: string): string {
  const names = text.trim().split('/').filter(Boolean);
  return names.length === 0 ? topFolder : `/${names.join('/')}/`;
}

/** How people write it: without the slashes around it. */
export const folderText = (path: string): string => path.slice(1, -1);

/** The folder itself and all it lies in, from the top down. */
export function trailOf(path: string): readonly string[] {
  const names = path.split('/').filter(Boolean);
  return [topFolder, ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}/`)];
}

export const lastName = (path: string): string => path.split('/').at(-2) ?? '';

/** Every folder that holds a key, in order, the top first. */
export function foldersOf(rows: readonly SecretRow[]): readonly string[] {
  return [...new Set([topFolder, ...rows.map(({ path }) => path)])].sort();
}

/** As people count: 2 before 10. */
const byName = new Intl.Collator('en', { numeric: true });

/** The folders right below one, by name. */
export function foldersIn(rows: readonly SecretRow[], folder: string): readonly Folder[] {
  const counts = new Map<string, number>();
  for (const { path } of rows) {
    if (path === folder || !path.startsWith(folder)) continue;
    const name = path.slice(folder.length).split('/')[0] as string;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, keys]) => ({ path: `${folder}${name}/`, name, keys }))
    .sort((a, b) => byName.compare(a.name, b.name));
}
