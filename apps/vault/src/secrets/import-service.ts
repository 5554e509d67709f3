import type { Caller } from '../access/caller.js';
import { requireScopes } from '../access/require-scopes.js';
import type { AuditService } from '../audit/audit-service.js';
import type { RunInTransaction } from '../db/transaction.js';
import type { EnvironmentService } from '../environments/environment-service.js';
import { VaultError } from '../errors/vault-error.js';
import type { LineProblem, ParsedEntries, ParsedEntry } from '../formats/secret-entry.js';
import type { KeyService } from '../keys/key-service.js';
import type { VaultKey } from '../keys/vault-key.js';
import { requireRevision } from '../vaults/require-revision.js';
import type { Vault } from '../vaults/vault.js';
import type { VaultService } from '../vaults/vault-service.js';
import { decodeValue } from './plain-value.js';
import { bulkEvent } from './secret-audit.js';
import type { SealedSecret, SecretRepository } from './secret-repository.js';
import type { SecretSealer } from './secret-sealer.js';
import type { SecretWriter } from './secret-writer.js';
import { unconditional } from './write-condition.js';

export type ImportMode = 'merge' | 'skip' | 'replace';

export interface ImportRequest {
  readonly vaultId: string;
  readonly environment: string;
  readonly path: string;
  readonly mode: ImportMode;
  readonly dryRun: boolean;
  /** Said by a caller who cares what is replaced: only if the vault is still at this revision, or at any. */
  readonly over?: { readonly revision: number | undefined } | undefined;
}

/** What an import did or would do, by name. */
export interface ImportPlan {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
  readonly skipped: readonly string[];
  readonly removed: readonly string[];
  readonly errors: readonly LineProblem[];
  readonly warnings: readonly LineProblem[];
  /** Of the vault, from before anything was done. */
  readonly revision: number;
}

export interface ImportService {
  run(caller: Caller, request: ImportRequest, parsed: ParsedEntries): Promise<ImportPlan>;
}

export interface ImportServiceParts {
  readonly secrets: SecretRepository;
  readonly sealer: SecretSealer;
  readonly writer: SecretWriter;
  readonly vaults: Pick<VaultService, 'find' | 'touch'>;
  readonly environments: Pick<EnvironmentService, 'find'>;
  readonly keys: Pick<KeyService, 'sealingKey'>;
  readonly audit: Pick<AuditService, 'record'>;
  readonly inTransaction: RunInTransaction;
}

const mostListed = 1_000_000;

export function createImportService(parts: ImportServiceParts): ImportService {
  const { secrets, sealer, writer, vaults, environments, keys, audit, inTransaction } = parts;

  function planFor(
    key: VaultKey,
    existing: ReadonlyMap<string, SealedSecret>,
    entries: readonly ParsedEntry[],
    mode: ImportMode,
  ) {
    const plan = {
      added: [] as string[],
      changed: [] as string[],
      unchanged: [] as string[],
      skipped: [] as string[],
    };
    for (const entry of entries) {
      const there = existing.get(entry.key);
      if (there === undefined) plan.added.push(entry.key);
      else if (mode === 'skip') plan.skipped.push(entry.key);
      else if (sealer.isSame(key, there.sealed, decodeValue(entry.value, 'utf8')))
        plan.unchanged.push(entry.key);
      else plan.changed.push(entry.key);
    }
    const named = new Set(entries.map((entry) => entry.key));
    const removed = mode === 'replace' ? [...existing.keys()].filter((name) => !named.has(name)) : [];
    return { ...plan, removed };
  }

  return {
    async run(caller, request, parsed) {
      const { vaultId, path, mode, dryRun, over } = request;
      const ifRevision = over?.revision;
      if (mode === 'replace') requireScopes(caller, ['secrets:delete']);
      const { entries, errors } = checkValues(parsed);
      if (errors.length > 0 && !dryRun) throw unreadable(errors);
      return inTransaction(async (transaction) => {
        const vault = await vaults.find(caller, vaultId, transaction);
        requireStatedFor(request, vault);
        if (ifRevision !== undefined) requireRevision(ifRevision, vault.revision);
        const environment = await environments.find(caller, vaultId, request.environment, transaction);
        const key = await keys.sealingKey(transaction, vaultId, dryRun ? 0 : entries.length);
        const filter = { vaultId, environments: [environment.slug], path, trash: false };
        const existing = new Map(
          (await secrets.listSealed(filter, undefined, mostListed, transaction)).map((row) => [row.key, row]),
        );
        const plan = {
          ...planFor(key, existing, entries, mode),
          errors,
          warnings: parsed.warnings,
          revision: vault.revision,
        };
        const touched = plan.added.length + plan.changed.length + plan.removed.length;
        if (dryRun || touched === 0) return plan;
        await secrets.trash(
          transaction,
          plan.removed.map((name) => existing.get(name)?.id as string),
        );
        const writesOf = (names: readonly string[]) => {
          const wanted = new Set(names);
          return entries
            .filter((entry) => wanted.has(entry.key))
            .map((entry) => ({
              place: { vaultId, environmentId: environment.id, path, key: entry.key },
              value: decodeValue(entry.value, 'utf8'),
              details: {},
              condition: unconditional,
              source: 'import' as const,
            }));
        };
        await writer.createAll(transaction, caller, key, writesOf(plan.added));
        for (const write of writesOf(plan.changed)) await writer.write(transaction, caller, key, write);
        await vaults.touch(transaction, vaultId, ifRevision);
        const names = [...plan.added, ...plan.changed, ...plan.removed];
        const meta = { environment: environment.slug, path, mode, removed: plan.removed.length };
        await audit.record(transaction, bulkEvent(caller, 'secret.import', vaultId, names, meta));
        return plan;
      });
    },
  };
}

/** An import that only adds replaces nothing; any other would, and says so by the revision whose preview was seen. */
function requireStatedFor({ mode, dryRun, over }: ImportRequest, vault: Vault): void {
  if (!vault.requiresPreconditions || mode === 'skip' || dryRun || over !== undefined) return;
  throw new VaultError(
    'precondition_required',
    'Imports into this vault must say what they replace: send If-Match with the ETag of a dry run, or use mode=skip, which only adds.',
  );
}

/** A value that cannot be stored is a problem of its line, like one that cannot be read. */
function checkValues(parsed: ParsedEntries): { entries: ParsedEntry[]; errors: LineProblem[] } {
  const entries: ParsedEntry[] = [];
  const errors = [...parsed.problems];
  for (const entry of parsed.entries) {
    try {
      decodeValue(entry.value, 'utf8');
      entries.push(entry);
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      errors.push({ line: entry.line, reason: `${entry.key}: ${error.message}` });
    }
  }
  return { entries, errors: errors.sort((one, other) => one.line - other.line) };
}

function unreadable(errors: readonly LineProblem[]): VaultError {
  return new VaultError('validation_failed', 'Nothing was imported, because some lines cannot be read.', {
    errors: errors.map(({ line, reason }) => ({
      pointer: `/line/${line}`,
      code: 'unreadable_line',
      detail: reason,
    })),
  });
}
