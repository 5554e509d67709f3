import type { SecretMessage } from '@hearth/protocol-types/vault/secret';

/** One key of one folder, with what each environment holds of it. */
export interface SecretRow {
  readonly id: string;
  readonly key: string;
  readonly path: string;
  readonly cells: ReadonlyMap<string, SecretMessage>;
  readonly note: string | undefined;
  readonly tags: readonly string[];
}

/** Turns the vault's list, one entry a cell, into rows by key. */
export function toRows(secrets: readonly SecretMessage[]): readonly SecretRow[] {
  const rows = new Map<string, Map<string, SecretMessage>>();
  for (const secret of secrets) {
    const id = rowId(secret.path, secret.key);
    const cells = rows.get(id) ?? new Map<string, SecretMessage>();
    cells.set(secret.environment, secret);
    rows.set(id, cells);
  }
  return [...rows].map(([id, cells]) => toRow(id, cells)).sort(byPathAndKey);
}

export const rowId = (path: string, key: string): string => `${path}${key}`;

function toRow(id: string, cells: ReadonlyMap<string, SecretMessage>): SecretRow {
  const all = [...cells.values()];
  const first = all[0] as SecretMessage;
  const noted = all.find(({ note }) => note);
  return {
    id,
    key: first.key,
    path: first.path,
    cells,
    note: noted?.note ?? undefined,
    tags: [...new Set(all.flatMap(({ tags }) => tags))],
  };
}

function byPathAndKey(a: SecretRow, b: SecretRow): number {
  return a.path === b.path ? compare(a.key, b.key) : compare(a.path, b.path);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export interface RowFilter {
  readonly text: string;
  readonly onlyGaps: boolean;
  readonly environments: readonly string[];
}

/** Every word must occur in the key, the folder, the note or a tag. */
export function filterRows(rows: readonly SecretRow[], filter: RowFilter): readonly SecretRow[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (filter.onlyGaps && filter.environments.every((slug) => row.cells.has(slug))) return false;
    const text = [row.path, row.key, row.note ?? '', ...row.tags].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
