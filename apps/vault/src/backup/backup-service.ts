import type { AuditService } from '../audit/audit-service.js';
import { systemEvent } from '../audit/system-event.js';
import type { MasterKey } from '../crypto/master-key.js';
import { databaseErrorCode, type Transaction, violatedConstraint } from '../db/transaction.js';
import type { KeyService } from '../keys/key-service.js';
import {
  type BackupEntry,
  BackupFileError,
  type BackupHeader,
  type BackupManifest,
  newBackupHeader,
  readBackup,
  readBackupHeader,
  writeBackup,
} from './backup-file.js';
import { type BackedUpTable, type BackupRepository, backedUpTables } from './backup-repository.js';
import { neededMasterKeys, wrapMasterKeys } from './wrapped-master-keys.js';

export interface BackupService {
  /** The whole vault as it was at one moment, sealed, line by line. */
  create(write: (line: string) => Promise<void>, keyCopy?: KeyCopy): Promise<BackupManifest>;
  /** Into a database that holds nothing yet; all of it or nothing. `lastStep` runs once nothing else can be refused. */
  restore(lines: AsyncIterable<string>, lastStep?: () => void): Promise<BackupManifest>;
}

/** Asks for a copy of the master keys inside the backup, for whoever knows the passphrase. */
export interface KeyCopy {
  readonly passphrase: string;
  /** All that are held; those that the backup does not need are left out. */
  readonly masters: readonly MasterKey[];
}

export interface BackupServiceParts {
  readonly backups: BackupRepository;
  readonly keys: Pick<KeyService, 'current' | 'masterKeysInUse'>;
  readonly audit: Pick<AuditService, 'record' | 'recordAlone'>;
  readonly now: () => Date;
}

const rowsPerStatement = 200;

export function createBackupService(parts: BackupServiceParts): BackupService {
  const { backups, keys, audit, now } = parts;

  async function headerFor(
    transaction: Transaction,
    masterKeyId: string,
    keyCopy: KeyCopy | undefined,
  ): Promise<BackupHeader> {
    const header = newBackupHeader(masterKeyId, now());
    if (keyCopy === undefined) return header;
    const ids = [masterKeyId, ...(await keys.masterKeysInUse(transaction))];
    const masters = neededMasterKeys(keyCopy.masters, ids);
    return { ...header, wrapped_keys: await wrapMasterKeys(keyCopy.passphrase, masters, header) };
  }

  async function* entriesOf(
    transaction: Transaction,
    keep: (manifest: BackupManifest) => void,
  ): AsyncIterable<BackupEntry> {
    const rows: Record<string, number> = {};
    for (const table of backedUpTables) {
      let count = 0;
      for await (const row of backups.rows(transaction, table)) {
        yield { kind: 'row', table, row };
        count += 1;
      }
      rows[table] = count;
    }
    const manifest: BackupManifest = { schema: await backups.schema(transaction), rows };
    keep(manifest);
    yield { kind: 'manifest', manifest };
  }

  async function restoreRows(
    transaction: Transaction,
    entries: AsyncIterable<BackupEntry>,
  ): Promise<BackupManifest> {
    const counts: Record<string, number> = {};
    const linked: { table: BackedUpTable; rows: string[] }[] = [];
    let batch: { table: BackedUpTable; rows: string[] } | undefined;
    let manifest: BackupManifest | undefined;
    const flush = async () => {
      if (batch === undefined) return;
      await backups.insert(transaction, batch.table, batch.rows).catch(explainRefusal(batch.table));
      counts[batch.table] = (counts[batch.table] ?? 0) + batch.rows.length;
      if (batch.table === 'environments' || batch.table === 'api_tokens') linked.push(batch);
      batch = undefined;
    };
    for await (const entry of entries) {
      if (entry.kind === 'manifest') {
        manifest = entry.manifest;
        continue;
      }
      const table = tableNamed(entry.table);
      if (batch?.table !== table || batch.rows.length === rowsPerStatement) await flush();
      batch ??= { table, rows: [] };
      batch.rows.push(entry.row);
    }
    await flush();
    for (const { table, rows } of linked) await backups.linkRows(transaction, table, rows);
    await backups.finish(transaction);
    return requireKnown(requireWhole(manifest, counts), await backups.schema(transaction));
  }

  async function requireEmptyAndAlone(transaction: Transaction): Promise<void> {
    if (!(await backups.holdAlone(transaction))) {
      throw new BackupFileError(
        'a vault or another restore has just been started on this database: stop it, and restore into an empty one',
      );
    }
    const filled = await backups.filledTables(transaction);
    if (filled.length === 0) return;
    throw new BackupFileError(
      filled.every((table) => table === 'master_keys')
        ? 'the database already holds data: a vault was started on it and recorded its own master key. Stop that vault and restore into a new database'
        : 'the database already holds data; restore into an empty one',
    );
  }

  return {
    async create(write, keyCopy) {
      let manifest: BackupManifest | undefined;
      await backups.atOneMoment(async (transaction) => {
        const entries = entriesOf(transaction, (whole) => {
          manifest = whole;
        });
        const { id, backup } = keys.current().active;
        const header = await headerFor(transaction, id, keyCopy);
        for await (const line of writeBackup(header, backup, entries)) await write(line);
      });
      const written = manifest as BackupManifest;
      await audit.recordAlone(
        systemEvent('backup.create', { rows: written.rows, master_key_copy: keyCopy !== undefined }),
      );
      return written;
    },

    async restore(lines, lastStep) {
      const iterator = lines[Symbol.asyncIterator]();
      const header = readBackupHeader((await iterator.next()).value as string | undefined);
      const master = keys.current().find(header.master_key_id);
      if (master === undefined) {
        throw new BackupFileError(
          `the backup was sealed under the master key ${header.master_key_id}: give that key, in VAULT_MASTER_KEY or among VAULT_MASTER_KEYS_RETIRED${
            header.wrapped_keys === undefined
              ? ''
              : ', or the passphrase of the backup with --passphrase-file'
          }`,
        );
      }
      const rest = { [Symbol.asyncIterator]: () => iterator };
      return backups.inOneTry(async (transaction) => {
        await requireEmptyAndAlone(transaction);
        const manifest = await restoreRows(transaction, readBackup(header, master.backup, rest));
        const meta = { backup: header.id, rows: manifest.rows };
        await audit.record(transaction, systemEvent('backup.restore', meta));
        lastStep?.();
        return manifest;
      });
    },
  };
}

function tableNamed(name: string): BackedUpTable {
  const table = backedUpTables.find((known) => known === name);
  if (table === undefined)
    throw new BackupFileError(`the backup holds a table that is not known here: ${name}`);
  return table;
}

function requireWhole(
  manifest: BackupManifest | undefined,
  counts: Readonly<Record<string, number>>,
): BackupManifest {
  const whole =
    manifest !== undefined &&
    // A backup from before a table existed says nothing of it.
    backedUpTables.every((table) => (counts[table] ?? 0) === (manifest.rows[table] ?? 0));
  if (!whole) throw new BackupFileError('the backup is not whole: rows are missing');
  return manifest;
}

/** What a newer version keeps in columns that are not known here could be what a token may not do: none is left out. */
function requireKnown(manifest: BackupManifest, schema: string): BackupManifest {
  if (manifest.schema <= schema) return manifest;
  throw new BackupFileError(
    `the backup comes from a newer version, with tables of ${manifest.schema}; those here are of ${schema}: restore it with that version`,
  );
}

/** The driver's own words would show the rows. */
function explainRefusal(table: BackedUpTable): (error: unknown) => never {
  return (error) => {
    const code = databaseErrorCode(error);
    if (code === undefined) throw error;
    const rule = violatedConstraint(error);
    throw new BackupFileError(
      `the database does not take the rows of ${table} in the backup (${rule === undefined ? code : `${code}, ${rule}`})`,
    );
  };
}
