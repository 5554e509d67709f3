import { randomUUID } from 'node:crypto';
import { scopeNames } from '@hearth/protocol-types/vault/scope';
import { createLogger } from '@hearth/service-kit/logger';
import type { Caller } from '../src/access/caller.js';
import { composeDomain, type Domain } from '../src/compose-domain.js';
import { makeMasterKey } from '../src/crypto/master-key.js';
import type { Database } from '../src/db/client.js';
import { users } from '../src/db/schema/users.js';
import type { MasterKeySource } from '../src/keys/load-master-keys.js';
import { createKeyring } from '../src/keys/master-keyring.js';
import type { Vault } from '../src/vaults/vault.js';

export const silentLogger = createLogger({ name: 'test', level: 'silent', format: 'json' });

export function fixedKeys(active = makeMasterKey(), retired: readonly Buffer[] = []): MasterKeySource {
  const keyring = createKeyring(active, retired);
  return { keyring, file: undefined, reload: () => keyring };
}

/** The services on a test database, with a master key of their own. */
export async function createTestDomain(db: Database, masterKeys = fixedKeys()): Promise<Domain> {
  const domain = composeDomain({ db, masterKeys, logger: silentLogger });
  await domain.keys.prepare();
  return domain;
}

export interface TestUser {
  readonly id: string;
  readonly personalVault: Vault;
  /** This user in a browser session. */
  readonly caller: Caller;
}

/** An account as a first sign-in makes it. */
export async function createTestUser(db: Database, domain: Domain, name = 'Ada'): Promise<TestUser> {
  const [user] = await db.insert(users).values({ displayName: name }).returning({ id: users.id });
  const id = (user as { id: string }).id;
  const personalVault = await domain.inTransaction((transaction) =>
    domain.vaults.createPersonal(transaction, id),
  );
  return { id, personalVault, caller: sessionCaller(id, name) };
}

export function sessionCaller(userId: string, label: string): Caller {
  return {
    userId,
    kind: 'user',
    id: userId,
    label,
    scopes: new Set<string>(scopeNames),
    vaultIds: null,
    environments: null,
    environmentRenames: null,
    request: { requestId: randomUUID(), ip: '127.0.0.1', userAgent: 'test' },
  };
}

/** A list of all secrets of the environment `dev`, with their values. */
export const everythingInDev = {
  environment: 'dev',
  below: undefined,
  search: undefined,
  tag: undefined,
  trash: false,
  withValues: true,
  after: undefined,
  limit: 5000,
};
