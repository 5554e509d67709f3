import type { Caller } from '../access/caller.js';
import type { AuditService } from '../audit/audit-service.js';
import type { EnvironmentService } from '../environments/environment-service.js';
import { VaultError } from '../errors/vault-error.js';
import { type ExportFormat, exportFormats } from '../formats/export-formats.js';
import { UnwritableValuesError } from '../formats/secret-entry.js';
import type { VaultService } from '../vaults/vault-service.js';
import { encodeValue } from './plain-value.js';
import { bulkEvent } from './secret-audit.js';
import type { SecretRepository } from './secret-repository.js';
import type { SecretSealer } from './secret-sealer.js';

export interface ExportRequest {
  readonly vaultId: string;
  readonly environment: string;
  readonly path: string;
  readonly format: ExportFormat;
}

export interface ExportedFile {
  readonly text: string;
  readonly contentType: string;
  readonly fileName: string;
}

export interface ExportService {
  run(caller: Caller, request: ExportRequest): Promise<ExportedFile>;
}

export interface ExportServiceParts {
  readonly secrets: Pick<SecretRepository, 'listSealed'>;
  readonly sealer: SecretSealer;
  readonly vaults: Pick<VaultService, 'find'>;
  readonly environments: Pick<EnvironmentService, 'find'>;
  readonly audit: Pick<AuditService, 'recordAlone'>;
}

const mostListed = 1_000_000;

/** All values of one folder of one environment as a file. */
export function createExportService(parts: ExportServiceParts): ExportService {
  const { secrets, sealer, vaults, environments, audit } = parts;
  return {
    async run(caller, { vaultId, environment, path, format }) {
      await vaults.find(caller, vaultId);
      await environments.find(caller, vaultId, environment);
      const filter = { vaultId, environments: [environment], path, trash: false };
      const rows = await secrets.listSealed(filter, undefined, mostListed);
      const values = await sealer.openAll(
        vaultId,
        rows.map(({ sealed }) => sealed),
      );
      const entries = rows.map(({ key }, index) => ({ key, value: encodeValue(values[index] as never) }));
      const { write, contentType, fileEnding } = exportFormats[format];
      const text = orUnwritable(() => write(entries));
      const names = rows.map(({ key }) => key);
      await audit.recordAlone(
        bulkEvent(caller, 'secret.export', vaultId, names, { environment, path, format }),
      );
      return { text, contentType, fileName: `${environment}.${fileEnding}` };
    },
  };
}

function orUnwritable(write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof UnwritableValuesError)) throw error;
    throw new VaultError(
      'validation_failed',
      `${capitalised(error.message)}. Choose the json or shell format.`,
      {
        errors: error.keys.map((key) => ({
          pointer: `/${key}`,
          code: 'unwritable_value',
          detail: `the ${error.format} format cannot hold this value`,
        })),
      },
    );
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
