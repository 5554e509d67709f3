import type { TokenVerifier } from '@hearth/auth-middleware/token-verifier';
import type { Logger } from '@hearth/service-kit/logger';
import { createAuditRepository } from './audit/audit-repository.js';
import { type AuditRetention, createAuditRetention } from './audit/audit-retention.js';
import { type AuditService, createAuditService } from './audit/audit-service.js';
import { createBackupRepository } from './backup/backup-repository.js';
import { type BackupService, createBackupService } from './backup/backup-service.js';
import type { Database } from './db/client.js';
import { createTransactionRunner, type RunInTransaction } from './db/transaction.js';
import { createEnvironmentRepository } from './environments/environment-repository.js';
import { createEnvironmentService, type EnvironmentService } from './environments/environment-service.js';
import type { HousekeepingTasks } from './housekeeping.js';
import { createIdempotencyRepository } from './idempotency/idempotency-repository.js';
import { createIdempotencyService, type IdempotencyService } from './idempotency/idempotency-service.js';
import { createKeyRepository } from './keys/key-repository.js';
import { createKeyService, type KeyService } from './keys/key-service.js';
import type { MasterKeySource } from './keys/load-master-keys.js';
import { createMasterKeyRotation, type MasterKeyRotation } from './keys/master-key-rotation.js';
import { type BatchService, createBatchService } from './secrets/batch-service.js';
import { createDataKeyRotation, type DataKeyRotation } from './secrets/data-key-rotation.js';
import { createExportService, type ExportService } from './secrets/export-service.js';
import { createImportService, type ImportService } from './secrets/import-service.js';
import { createMoveService, type MoveService } from './secrets/move-service.js';
import { createSecretFinder } from './secrets/secret-finder.js';
import { createSecretRepository } from './secrets/secret-repository.js';
import { createSecretSealer } from './secrets/secret-sealer.js';
import { createSecretService, type SecretService } from './secrets/secret-service.js';
import { createSecretWriter } from './secrets/secret-writer.js';
import { createTrashService, daysInTrash, type TrashService } from './secrets/trash-service.js';
import { createVersionRepository } from './secrets/version-repository.js';
import { createVersionService, type VersionService } from './secrets/version-service.js';
import { createEnvironmentLimitService } from './tokens/environment-limit-service.js';
import { createExposedTokens, type ExposedTokens } from './tokens/exposed-tokens.js';
import { createLeakService, type LeakService } from './tokens/leak-service.js';
import { createTokenDenials } from './tokens/token-denials.js';
import { createTokenRepository } from './tokens/token-repository.js';
import { createTokenService, type TokenService } from './tokens/token-service.js';
import { createTokenUsage, type TokenUsage } from './tokens/token-usage.js';
import { createTokenVerifier } from './tokens/token-verifier.js';
import { createVaultRepository } from './vaults/vault-repository.js';
import { createVaultService, type VaultService } from './vaults/vault-service.js';

export interface Domain {
  readonly inTransaction: RunInTransaction;
  readonly now: () => Date;
  readonly keys: KeyService;
  readonly audit: AuditService;
  readonly auditRetention: AuditRetention;
  readonly vaults: VaultService;
  readonly environments: EnvironmentService;
  readonly secrets: SecretService;
  readonly versions: VersionService;
  readonly trash: TrashService;
  readonly moves: MoveService;
  readonly batches: BatchService;
  readonly imports: ImportService;
  readonly exports: ExportService;
  readonly tokens: TokenService;
  readonly tokenVerifier: TokenVerifier;
  readonly exposedTokens: ExposedTokens;
  readonly leakReports: LeakService;
  readonly tokenUsage: TokenUsage;
  readonly idempotency: IdempotencyService;
  readonly housekeeping: HousekeepingTasks;
  readonly backups: BackupService;
  readonly dataKeys: DataKeyRotation;
  readonly masterKey: MasterKeyRotation;
}

export interface DomainParts {
  readonly db: Database;
  readonly masterKeys: MasterKeySource;
  readonly logger: Logger;
  readonly now?: () => Date;
}

/** Database to repositories to services: everything below HTTP, for the server and for the commands alike. */
export function composeDomain({ db, masterKeys, logger, now = () => new Date() }: DomainParts): Domain {
  const inTransaction = createTransactionRunner(db);
  const auditRows = createAuditRepository(db);
  const audit = createAuditService({ events: auditRows, inTransaction, now });
  const keys = createKeyService({ keys: createKeyRepository(db), source: masterKeys, inTransaction });
  const tokenRows = createTokenRepository(db);
  const environments = createEnvironmentService({
    environments: createEnvironmentRepository(db),
    vaults: () => vaults,
    limits: createEnvironmentLimitService({ tokens: tokenRows, audit }),
    audit,
    inTransaction,
  });
  const vaultRows = createVaultRepository(db);
  const vaults: VaultService = createVaultService({
    vaults: vaultRows,
    environments,
    keys,
    audit,
    inTransaction,
  });

  const secretRows = createSecretRepository(db);
  const versionRows = createVersionRepository(db);
  const sealer = createSecretSealer({ keys, versions: versionRows });
  const shared = {
    secrets: secretRows,
    sealer,
    writer: createSecretWriter({ secrets: secretRows, versions: versionRows, sealer }),
    finder: createSecretFinder({ secrets: secretRows, vaults, environments }),
    vaults,
    environments,
    keys,
    audit,
    inTransaction,
  };
  const versions = createVersionService({ ...shared, versions: versionRows });
  const trash = createTrashService(shared);

  const denials = createTokenDenials({ audit, now });
  const idempotency = createIdempotencyService({ records: createIdempotencyRepository(db), keys, now });
  return {
    inTransaction,
    now,
    keys,
    audit,
    auditRetention: createAuditRetention({ events: auditRows, inTransaction, now }),
    vaults,
    environments,
    secrets: createSecretService({ ...shared, versions: versionRows }),
    versions,
    trash,
    moves: createMoveService(shared),
    batches: createBatchService({ ...shared, versions }),
    imports: createImportService(shared),
    exports: createExportService(shared),
    tokens: createTokenService({ tokens: tokenRows, vaults, audit, inTransaction, now }),
    tokenVerifier: createTokenVerifier({ tokens: tokenRows, denials, now }),
    exposedTokens: createExposedTokens({ tokens: tokenRows, denials }),
    leakReports: createLeakService({ tokens: tokenRows, audit, inTransaction, now }),
    tokenUsage: createTokenUsage({ tokens: tokenRows, logger, now }),
    idempotency,
    housekeeping: {
      trash: () => trash.purge(daysBefore(now(), daysInTrash)),
      deleted_vaults: () => vaults.purge(daysBefore(now(), daysInTrash)),
      idempotency_keys: idempotency.removeExpired,
    },
    backups: createBackupService({ backups: createBackupRepository(db), keys, audit, now }),
    masterKey: createMasterKeyRotation({ keys, audit }),
    dataKeys: createDataKeyRotation({ ...shared, vaults: vaultRows, versions: versionRows }),
  };
}

function daysBefore(moment: Date, days: number): Date {
  return new Date(moment.getTime() - days * 86_400_000);
}
