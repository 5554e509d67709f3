import {
  type BatchOperation,
  batchRequestSchema,
  batchResponseSchema,
} from '@hearth/protocol-types/vault/batch';
import { exportQuerySchema } from '@hearth/protocol-types/vault/export-query';
import {
  type ImportResponse,
  importQuerySchema,
  importResponseSchema,
} from '@hearth/protocol-types/vault/import';
import { z } from 'zod';
import { exportFormats } from '../formats/export-formats.js';
import { parseDotenv } from '../formats/parse-dotenv.js';
import { parseJsonEntries } from '../formats/parse-json-entries.js';
import { defineOperation, type Operation, scopes } from '../http/operations/operation.js';
import { readPrecondition, revisionIn } from '../http/operations/preconditions.js';
import { vaultParams } from '../http/operations/shared-params.js';
import type { BatchService, BatchStep } from './batch-service.js';
import type { ExportService } from './export-service.js';
import type { ImportPlan, ImportService } from './import-service.js';
import { decodeValue } from './plain-value.js';
import { versionCondition } from './write-condition.js';

const vault = '/api/secrets/vaults/{vault_id}';

export interface TransferRouteParts {
  readonly batches: BatchService;
  readonly imports: ImportService;
  readonly exports: ExportService;
}

export function transferRoutes({ batches, imports, exports }: TransferRouteParts): Operation[] {
  return [
    defineOperation({
      id: 'runBatch',
      method: 'post',
      path: `${vault}/batch`,
      tag: 'Secrets',
      summary: 'Make several changes, all or none',
      description:
        'Besides vaults:read, each operation needs its own scope: secrets:write, secrets:delete or secrets:rollback.',
      access: scopes('vaults:read'),
      params: vaultParams,
      body: batchRequestSchema,
      idempotencyKey: true,
      replies: { 200: { description: 'What each operation did', schema: batchResponseSchema } },
      async handle({ caller, params, body }) {
        const steps = body.operations.map((operation, index) => toStep(params.vault_id, operation, index));
        const results = await batches.run(caller, params.vault_id, steps);
        return {
          status: 200,
          json: {
            results: results.map(({ op, named, version, changed }) => ({
              op,
              key: named.key,
              environment: named.environment,
              path: named.path,
              version,
              changed,
            })),
          },
        };
      },
    }),
    defineOperation({
      id: 'importSecrets',
      method: 'post',
      path: `${vault}/import`,
      tag: 'Files',
      summary: 'Import a .env file or a flat JSON object',
      description:
        'Send a .env file as text/plain or an object as application/json. With dry_run=true nothing is written. mode=replace needs secrets:delete, too.',
      access: scopes('import:write'),
      params: vaultParams,
      query: importQuerySchema,
      body: z.union([z.string(), z.record(z.string(), z.unknown())]),
      bodyTypes: ['text/plain', 'application/json'],
      headers: {
        'If-Match': 'Only if the vault is still at this revision, by the ETag of a dry run or of the vault',
      },
      idempotencyKey: true,
      replies: {
        200: {
          description: 'What was or would be done, by name',
          schema: importResponseSchema,
          headers: { ETag: 'With dry_run: the revision of the vault that was looked at, for If-Match' },
        },
      },
      async handle({ caller, params, query, body, request: call }) {
        const parsed = typeof body === 'string' ? parseDotenv(body) : parseJsonEntries(body);
        const condition = readPrecondition(call, 'r');
        const request = {
          vaultId: params.vault_id,
          environment: query.env,
          path: query.path,
          mode: query.mode,
          dryRun: query.dry_run,
          ...(condition.kind === 'none' ? {} : { over: { revision: revisionIn(condition) } }),
        };
        const plan = await imports.run(caller, request, parsed);
        return {
          status: 200,
          json: toImportResponse(plan, query.dry_run),
          headers: query.dry_run ? { etag: `"r${plan.revision}"` } : {},
        };
      },
    }),
    defineOperation({
      id: 'exportSecrets',
      method: 'get',
      path: `${vault}/export`,
      tag: 'Files',
      summary: 'Export all values of an environment as a file',
      description: 'A session needs a recent sign-in for it.',
      access: { kind: 'scopes', scopes: ['export:read'], fresh: true },
      params: vaultParams,
      query: exportQuerySchema,
      replies: {
        200: {
          description: 'The file',
          contentTypes: [...new Set(Object.values(exportFormats).map(({ contentType }) => contentType))],
        },
      },
      async handle({ caller, params, query }) {
        const file = await exports.run(caller, {
          vaultId: params.vault_id,
          environment: query.env,
          path: query.path,
          format: query.format,
        });
        return {
          status: 200,
          text: file.text,
          headers: {
            'content-type': file.contentType,
            'content-disposition': `attachment; filename="${file.fileName}"`,
          },
        };
      },
    }),
  ];
}

function toStep(vaultId: string, operation: BatchOperation, index: number): BatchStep {
  const named = { vaultId, environment: operation.env, path: operation.path, key: operation.key };
  const condition = versionCondition(operation.if_version);
  switch (operation.op) {
    case 'put':
      return {
        op: 'put',
        named,
        condition,
        value: decodeValue(operation.value, operation.encoding, `/operations/${index}/value`),
        details: { note: operation.note, tags: operation.tags },
      };
    case 'delete':
      return { op: 'delete', named, condition };
    case 'rollback':
      return { op: 'rollback', named, condition, version: operation.version };
    default:
      return operation satisfies never;
  }
}

function toImportResponse(plan: ImportPlan, dryRun: boolean): ImportResponse {
  return {
    dry_run: dryRun,
    added: [...plan.added],
    changed: [...plan.changed],
    unchanged: [...plan.unchanged],
    skipped: [...plan.skipped],
    removed: [...plan.removed],
    errors: [...plan.errors],
    warnings: [...plan.warnings],
  };
}
