import { randomUUID } from 'node:crypto';
import type { PassphraseBox } from '../crypto/passphrase-box.js';
import { seal, UnsealError, unseal } from '../crypto/sealed-box.js';

/** The first line of a backup file, in the clear: what one must know before it can be opened. */
export interface BackupHeader {
  readonly format: 'hearth-vault-backup';
  readonly version: 1;
  readonly id: string;
  readonly created_at: string;
  readonly master_key_id: string;
  /** The master keys that the backup needs, only where it was made with a passphrase. */
  readonly wrapped_keys?: PassphraseBox;
}

/** The last thing inside: without it a file that was cut short would look whole. */
export interface BackupManifest {
  /** The newest migration of the database that was backed up. */
  readonly schema: string;
  readonly rows: Readonly<Record<string, number>>;
}

export type BackupEntry =
  | { readonly kind: 'row'; readonly table: string; readonly row: string }
  | { readonly kind: 'manifest'; readonly manifest: BackupManifest };

/** A file that is no backup, or not whole. The message is meant for the person who restores. */
export class BackupFileError extends Error {
  override readonly name = 'BackupFileError';
}

const entriesPerLine = 200;

export function newBackupHeader(masterKeyId: string, createdAt: Date): BackupHeader {
  return {
    format: 'hearth-vault-backup',
    version: 1,
    id: randomUUID(),
    created_at: createdAt.toISOString(),
    master_key_id: masterKeyId,
  };
}

/**
 * Writes a backup: a header, then lines that each seal a few rows. A line is bound to its file and place, so none
 * can be left out, swapped or taken from another backup.
 */
export async function* writeBackup(
  header: BackupHeader,
  backupKey: Buffer,
  entries: AsyncIterable<BackupEntry>,
): AsyncIterable<string> {
  yield `${JSON.stringify(header)}\n`;
  let waiting: BackupEntry[] = [];
  let index = 0;
  const line = () => {
    const sealed = seal(backupKey, Buffer.from(JSON.stringify(waiting), 'utf8'), contextOf(header, index));
    waiting = [];
    index += 1;
    return `${sealed.toString('base64')}\n`;
  };
  for await (const entry of entries) {
    waiting.push(entry);
    if (waiting.length === entriesPerLine) yield line();
  }
  if (waiting.length > 0) yield line();
}

export function readBackupHeader(line: string | undefined): BackupHeader {
  try {
    const header = JSON.parse(line ?? '') as Partial<BackupHeader>;
    if (header.format === 'hearth-vault-backup' && header.version === 1) return header as BackupHeader;
  } catch {
    // Falls through: not JSON is as good as another format.
  }
  throw new BackupFileError('this is not a backup of hearth-vault, or one of a newer version');
}

/** Reads the entries of a backup whose header has been read; the last one is the manifest. */
export async function* readBackup(
  header: BackupHeader,
  backupKey: Buffer,
  lines: AsyncIterable<string>,
): AsyncIterable<BackupEntry> {
  let index = 0;
  let ended = false;
  for await (const line of lines) {
    if (line === '') continue;
    for (const entry of openLine(header, backupKey, line, index)) {
      if (ended) throw new BackupFileError('the backup goes on after its end');
      ended = entry.kind === 'manifest';
      yield entry;
    }
    index += 1;
  }
  if (!ended) throw new BackupFileError('the backup is not whole: its end is missing');
}

function openLine(header: BackupHeader, key: Buffer, line: string, index: number): BackupEntry[] {
  try {
    const opened = unseal(key, Buffer.from(line, 'base64'), contextOf(header, index));
    return JSON.parse(opened.toString('utf8')) as BackupEntry[];
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new BackupFileError(`the backup is damaged at line ${index + 2}`);
  }
}

function contextOf(header: BackupHeader, index: number): string {
  return `hv1|backup|${header.id}|${header.created_at}|${header.master_key_id}|${index}`;
}
