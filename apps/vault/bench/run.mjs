import { fork } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLogger } from '@hearth/service-kit/logger';
import { composeDomain } from '../dist/compose-domain.js';
import { createDatabaseClient } from '../dist/db/client.js';
import { joinEmbeddedPostgres } from '../dist/db/embedded/join-embedded-postgres.js';
import { users } from '../dist/db/schema/users.js';
import { loadMasterKeys } from '../dist/keys/load-master-keys.js';
import { load } from './load.mjs';

// GET /api/secrets/vaults of a whole vault (token, scopes, headers, log, last use) beside a bare Express route with
// the same query on the same Postgres. They take turns, so that what else the machine does hits both alike.
const rounds = 5;
const target = 0.6;
/** Each for an account of its own, so that no reply is of use to another request. */
const connections = 16;

const logger = createLogger({ name: 'bench', level: 'silent', format: 'json' });
const dataFolder = await mkdtemp(path.join(tmpdir(), 'hearth-bench-'));
await chmod(dataFolder, 0o755);
const children = [];

function start(file, args) {
  const child = fork(file, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.on('message', (message) => message.kind === 'ready' && resolve(message.url));
    child.once('exit', (code) => reject(new Error(`${path.basename(file)} ended with ${code}`)));
  });
}

async function prepare(connection) {
  const client = createDatabaseClient({ connection, poolSize: 2, logger });
  const settings = {
    masterKey: undefined,
    masterKeyFile: undefined,
    retiredMasterKeys: [],
    databaseUrl: undefined,
    dataFolder,
  };
  const domain = composeDomain({ db: client.db, masterKeys: loadMasterKeys(settings, logger), logger });
  const accounts = [];
  for (let n = 0; n < connections; n += 1) accounts.push(await createAccount(client.db, domain));
  await client.close();
  return accounts;
}

async function createAccount(db, domain) {
  const [user] = await db.insert(users).values({ displayName: 'Bench' }).returning({ id: users.id });
  await domain.inTransaction((transaction) => domain.vaults.createPersonal(transaction, user.id));
  const caller = {
    userId: user.id,
    kind: 'user',
    id: user.id,
    label: 'Bench',
    scopes: new Set(),
    vaultIds: null,
    environments: null,
    environmentRenames: null,
    request: { requestId: crypto.randomUUID(), ip: null, userAgent: null },
  };
  for (let n = 0; n < 4; n += 1) await domain.vaults.create(caller, `Vault ${n}`);
  const { value } = await domain.tokens.create(caller, {
    name: 'bench',
    scopes: ['vaults:read'],
    expiresInDays: 1,
    vaultIds: null,
    environments: null,
    ipAllow: null,
  });
  return { id: user.id, token: value };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

try {
  const vaultUrl = await start(fileURLToPath(new URL('../dist/cli.js', import.meta.url)), [
    'serve',
    '--port',
    '0',
    '--data',
    dataFolder,
    '--rate-limits',
    'false',
    '--log-format',
    'json',
  ]);
  const connection = await joinEmbeddedPostgres(dataFolder);
  const accounts = await prepare(connection);
  const bareUrl = await start(fileURLToPath(new URL('./bare-server.mjs', import.meta.url)), [
    JSON.stringify(connection),
  ]);
  const vault = () =>
    load(`${vaultUrl}/api/secrets/vaults`, {
      connections,
      headersOf: (connection) => ({ authorization: `Bearer ${accounts[connection].token}` }),
    });
  const bare = () =>
    load(`${bareUrl}/api/secrets/vaults`, {
      connections,
      headersOf: (connection) => ({ 'x-owner': accounts[connection].id }),
    });
  await vault();
  await bare();
  const results = [];
  for (let round = 0; round < rounds; round += 1) results.push({ vault: await vault(), bare: await bare() });

  const show = (name) =>
    process.stdout.write(
      `${name.padEnd(8)} ${median(results.map((round) => round[name].perSecond))
        .toFixed(0)
        .padStart(6)} requests/s   p99 ${median(results.map((round) => round[name].p99)).toFixed(1)} ms\n`,
    );
  process.stdout.write(`GET /api/secrets/vaults, ${connections} connections, median of ${rounds} rounds\n`);
  show('bare');
  show('vault');
  const ratio = median(results.map((round) => round.vault.perSecond / round.bare.perSecond));
  process.stdout.write(`ratio    ${ratio.toFixed(2)} (target ${target})\n`);
} finally {
  for (const child of children.reverse()) {
    if (child.exitCode !== null) continue;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
  }
  await rm(dataFolder, { recursive: true, force: true });
}
