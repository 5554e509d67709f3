import { createAuditRepository } from './audit/audit-repository.js';
import { type AuditService, createAuditService } from './audit/audit-service.js';
import type { Database } from './db/client.js';
import { createTransactionRunner, type RunInTransaction } from './db/transaction.js';
import { createEnvironmentRepository } from './environments/environment-repository.js';
import { createEnvironmentService, type EnvironmentService } from './environments/environment-service.js';
import { createKeyRepository } from './keys/key-repository.js';
import { createKeyService, type KeyService } from './keys/key-service.js';
import type { MasterKeySource } from './keys/load-master-keys.js';
import { createVaultRepository } from './vaults/vault-repository.js';
import { createVaultService, type VaultService } from './vaults/vault-service.js';

export interface Domain {
  readonly inTransaction: RunInTransaction;
  readonly keys: KeyService;
  readonly audit: AuditService;
  readonly vaults: VaultService;
  readonly environments: EnvironmentService;
}

export interface DomainParts {
  readonly db: Database;
  readonly masterKeys: MasterKeySource;
  readonly now?: () => Date;
}

/** Database to repositories to services: everything below HTTP, for the server and for the commands alike. */
export function composeDomain({ db, masterKeys, now = () => new Date() }: DomainParts): Domain {
  const inTransaction = createTransactionRunner(db);
  const audit = createAuditService({ events: createAuditRepository(db), inTransaction, now });
  const keys = createKeyService({ keys: createKeyRepository(db), source: masterKeys, inTransaction });
  const environments = createEnvironmentService({
    environments: createEnvironmentRepository(db),
    vaults: () => vaults,
    audit,
    inTransaction,
  });
  const vaults: VaultService = createVaultService({
    vaults: createVaultRepository(db),
    environments,
    keys,
    audit,
    inTransaction,
  });
  return { inTransaction, keys, audit, vaults, environments };
}
