import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../test/database.js';
import {
  createTestDomain,
  createTestUser,
  everythingInDev,
  fixedKeys,
  sessionCaller,
  silentLogger,
  type TestUser,
} from '../../test/domain.js';
import type { Caller } from '../access/caller.js';
import { eventBy } from '../audit/audit-event.js';
import { createAuditRepository } from '../audit/audit-repository.js';
import { composeDomain, type Domain } from '../compose-domain.js';
import { makeMasterKey } from '../crypto/master-key.js';
import { parseJsonEntries } from '../formats/parse-json-entries.js';
import { createKeyring } from '../keys/master-keyring.js';
import {
  type BackupEntry,
  BackupFileError,
  newBackupHeader,
  readBackup,
  readBackupHeader,
  writeBackup,
} from './backup-file.js';

const masterKey = makeMasterKey();
let source: TestDatabase;
let domain: Domain;
let ada: TestUser;
let lines: string[];
let rotatedValue: string;
const formerUser = sessionCaller(randomUUID(), 'Former');

beforeAll(async () => {
  // Where the run has Postgres in two major versions, what one wrote is restored into the other.
  source = await createTestDatabase({ server: 'second' });
  domain = await createTestDomain(source.db, fixedKeys(masterKey));
  ada = await createTestUser(source.db, domain);
  const eve = await createTestUser(source.db, domain, 'Eve "quoted" \u{1f600}');
  for (const user of [ada, eve]) {
    await domain.imports.run(
      user.caller,
      { vaultId: user.personalVault.id, environment: 'dev', path: '/', mode: 'merge', dryRun: false },
      parseJsonEntries(
        Object.fromEntries(
          Array.from({ length: 150 }, (_, n) => [
            `KEY_${n}`,
            `value ${n} of ${user.id} ünïcode 
 line`,
          ]),
        ),
      ),
    );
    await put(user, 'KEY_1', 'a second version');
    await put(user, 'DELETED', 'in the trash');
    await domain.trash.remove(user.caller, place(user, 'DELETED'), { kind: 'none' });
  }
  const wish = {
    name: 'ci',
    scopes: ['secrets:read'],
    expiresInDays: 9,
    vaultIds: [ada.personalVault.id],
    environments: ['dev'],
    ipAllow: ['10.0.0.0/8'],
  };
  const { token } = await domain.tokens.create(ada.caller, wish);
  rotatedValue = (await domain.tokens.rotate(ada.caller, token.id, 3600)).value;
  await recordLongAgo(formerUser);
  await domain.auditRetention.removeBefore(new Date(Date.now() - 365 * 86_400_000));
  lines = [];
  await domain.backups.create(async (line) => {
    lines.push(line.trimEnd());
  });
}, 120_000);

afterAll(() => source.close());

/** Three events, of which retention removes the first two. */
async function recordLongAgo(caller: Caller): Promise<void> {
  const events = createAuditRepository(source.db);
  for (const days of [500, 400, 1]) {
    const at = new Date(Date.now() - days * 86_400_000);
    await domain.inTransaction((transaction) =>
      events.append(transaction, [eventBy(caller, 'secret.read')], at),
    );
  }
}

const place = (user: TestUser, key: string) => ({
  vaultId: user.personalVault.id,
  environment: 'dev',
  path: '/',
  key,
});
const put = (user: TestUser, key: string, value: string) =>
  domain.secrets.put(
    user.caller,
    place(user, key),
    { bytes: Buffer.from(value), encoding: 'utf8' },
    {},
    { kind: 'none' },
  );

async function* asLines(list: readonly string[]): AsyncIterable<string> {
  yield* list;
}

async function restoreInto(list: readonly string[], key = masterKey) {
  const database = await createTestDatabase();
  const restored = composeDomain({ db: database.db, masterKeys: fixedKeys(key), logger: silentLogger });
  return { database, restored, done: restored.backups.restore(asLines(list)) };
}

/** Every row of the tables that a backup holds, as text. */
async function contents({ pool }: TestDatabase): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const table of [
    'users',
    'vaults',
    'vault_keys',
    'environments',
    'secrets',
    'secret_versions',
    'api_tokens',
    'master_keys',
  ]) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${table} t order by 1`);
    all[table] = rows.map(({ row }) => row);
  }
  return all;
}

/** The same backup with other entries in it, as another version of the vault would have written it. */
async function rewritten(change: (entry: BackupEntry) => BackupEntry | undefined): Promise<string[]> {
  const master = createKeyring(masterKey, []).active;
  const header = readBackupHeader(lines[0]);
  async function* entries(): AsyncIterable<BackupEntry> {
    for await (const entry of readBackup(header, master.backup, asLines(lines.slice(1)))) {
      const changed = change(entry);
      if (changed !== undefined) yield changed;
    }
  }
  const newHeader = newBackupHeader(master.id, new Date());
  const other: string[] = [];
  for await (const line of writeBackup(newHeader, master.backup, entries())) other.push(line.trimEnd());
  return other;
}

test('a backup from before a table existed is restored', async () => {
  const older = await rewritten((entry) => {
    if (entry.kind === 'row') return entry.table === 'audit_checkpoints' ? undefined : entry;
    const { audit_checkpoints: _, ...rows } = entry.manifest.rows;
    return { kind: 'manifest', manifest: { ...entry.manifest, rows } };
  });
  const { database, restored, done } = await restoreInto(older);
  try {
    expect((await done).rows).not.toHaveProperty('audit_checkpoints');
    await restored.keys.prepare();
    expect(await contents(database)).toEqual(await contents(source));
  } finally {
    await database.close();
  }
}, 60_000);

test('a backup of the first version, before columns came and went, is restored', async () => {
  const later = [
    'implications',
    'leak_reported_by',
    'leak_url',
    'requires_preconditions',
    'environment_renames',
  ];
  const older = await rewritten((entry) => {
    if (entry.kind === 'manifest') {
      return { ...entry, manifest: { ...entry.manifest, schema: '0001-first-tables' } };
    }
    const row = JSON.parse(entry.row) as Record<string, unknown>;
    for (const column of later) delete row[column];
    const gone = entry.table === 'secret_versions' ? { byte_length: 7, encoding: 'utf8' } : {};
    return { ...entry, row: JSON.stringify({ ...row, ...gone }) };
  });
  const { database, restored, done } = await restoreInto(older);
  try {
    await done;
    await restored.keys.prepare();
    expect(await contents(database)).toEqual(await contents(source));
  } finally {
    await database.close();
  }
}, 60_000);

test('a backup from a newer version is refused by name, and nothing of it stays', async () => {
  const newer = await rewritten((entry) =>
    entry.kind === 'row'
      ? entry
      : { ...entry, manifest: { ...entry.manifest, schema: '9999-something-new' } },
  );
  const { database, done } = await restoreInto(newer);
  try {
    await expect(done).rejects.toThrow(
      /^the backup comes from a newer version, with tables of 9999-something-new/,
    );
    expect((await contents(database))['users']).toEqual([]);
  } finally {
    await database.close();
  }
}, 60_000);

test('rows that do not fit together are refused by the rule they break, without showing them', async () => {
  const orphaned = await rewritten((entry) =>
    entry.kind === 'row' && entry.table === 'users' ? undefined : entry,
  );
  const { database, done } = await restoreInto(orphaned);
  try {
    await expect(done).rejects.toThrow(
      /^the database does not take the rows of vaults in the backup \(23503, [a-z_]+\)$/,
    );
  } finally {
    await database.close();
  }
}, 60_000);

test('a restored database equals the one that was backed up, row for row and value for value', async () => {
  const { database, restored, done } = await restoreInto(lines);
  try {
    const manifest = await done;
    expect(manifest.rows).toMatchObject({ users: 2, vaults: 2, secrets: 302 });
    await restored.keys.prepare();
    expect(await contents(database)).toEqual(await contents(source));
    const values = async (from: Domain) =>
      (await from.secrets.list(ada.caller, ada.personalVault.id, everythingInDev)).map(
        ({ secret, value }) => [secret.key, value?.bytes.toString()],
      );
    expect(await values(restored)).toEqual(await values(domain));
    expect((await restored.versions.read(ada.caller, place(ada, 'KEY_1'), 1)).value.bytes.toString()).toMatch(
      /^value 1 of/,
    );
    await restored.trash.restore(ada.caller, place(ada, 'DELETED'));
    expect(await restored.tokenVerifier.verify(rotatedValue, { ip: '10.1.2.3' })).toMatchObject({
      label: 'ci',
    });
    expect((await restored.audit.verify(ada.id)).valid).toBe(true);
    expect(await restored.audit.verify(formerUser.userId)).toMatchObject({ valid: true, events: 2 });
    await restored.secrets.put(
      ada.caller,
      place(ada, 'AFTER'),
      { bytes: Buffer.from('x'), encoding: 'utf8' },
      {},
      { kind: 'none' },
    );
    expect((await restored.audit.verify(ada.id)).valid).toBe(true);
  } finally {
    await database.close();
  }
}, 60_000);

test('the file holds no value, name or token in the clear', () => {
  const text = lines.join('\n');
  for (const word of ['KEY_1', 'value 1', 'quoted', rotatedValue, ada.id]) {
    expect([word, text.includes(word)]).toEqual([word, false]);
  }
});

test.each([
  ['the end', (list: string[]) => list.slice(0, -1)],
  ['a line in the middle', (list: string[]) => [...list.slice(0, 2), ...list.slice(3)]],
  ['the order', (list: string[]) => [list[0], list[2], list[1], ...list.slice(3)] as string[]],
  [
    'one character',
    (list: string[]) =>
      list.map((line, n) =>
        n === 2 ? `${line.slice(0, 40)}${line[40] === 'A' ? 'B' : 'A'}${line.slice(41)}` : line,
      ),
  ],
  [
    'the header',
    (list: string[]) =>
      [
        list[0]?.replace(/"id":"(.)/, (_, first) => `"id":"${first === '0' ? '1' : '0'}`),
        ...list.slice(1),
      ] as string[],
  ],
  ['what it is', () => ['{"format":"something else"}']],
])(
  'a backup in which %s was changed is refused, and nothing of it stays',
  async (_name, spoil) => {
    const { database, done } = await restoreInto(spoil([...lines]));
    try {
      await expect(done).rejects.toThrow(BackupFileError);
      expect((await contents(database))['users']).toEqual([]);
    } finally {
      await database.close();
    }
  },
  60_000,
);

test('a backup opens with its own master key only, and says which that is', async () => {
  const { database, done } = await restoreInto(lines, makeMasterKey());
  try {
    await expect(done).rejects.toThrow(/sealed under the master key mk_[0-9a-f]{16}/);
  } finally {
    await database.close();
  }
});

test('a database that holds something is never overwritten', async () => {
  await expect(domain.backups.restore(asLines(lines))).rejects.toThrow(/already holds data/);
});
