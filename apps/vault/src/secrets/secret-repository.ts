import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/client.js';
import { environments } from '../db/schema/environments.js';
import { secretVersions } from '../db/schema/secret-versions.js';
import { secrets } from '../db/schema/secrets.js';
import { type Executor, type Transaction, violatedConstraint } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type {
  ListedSecret,
  SealedVersion,
  Secret,
  SecretDetails,
  SecretFilter,
  SecretPlace,
  SecretPosition,
  SpotInVault,
} from './secret.js';
import { versionColumns } from './version-repository.js';

export interface SealedSecret extends ListedSecret {
  readonly sealed: SealedVersion;
}

export type NewSecret = SecretPlace & { readonly id: string } & SecretDetails;

export interface SecretRepository {
  find(place: SecretPlace, executor?: Executor): Promise<Secret | undefined>;
  /** Held against changes until the transaction ends. */
  findForUpdate(transaction: Transaction, place: SecretPlace): Promise<Secret | undefined>;
  /** Those of this name in the trash, newest first. */
  findTrashed(transaction: Transaction, place: SecretPlace): Promise<Secret[]>;
  list(filter: SecretFilter, after: SecretPosition | undefined, limit: number): Promise<ListedSecret[]>;
  /** The same with the current version of each. */
  listSealed(
    filter: SecretFilter,
    after: SecretPosition | undefined,
    limit: number,
    executor?: Executor,
  ): Promise<SealedSecret[]>;
  count(transaction: Transaction, vaultId: string): Promise<number>;
  /** Those that were not there yet; an existing one is left alone and not returned. */
  insertIfAbsent(transaction: Transaction, rows: readonly NewSecret[]): Promise<string[]>;
  /** The next version, only if this one is still the current: the rule is in the statement itself. */
  advance(transaction: Transaction, id: string, from: number, details: SecretDetails): Promise<boolean>;
  updateDetails(
    transaction: Transaction,
    id: string,
    change: SecretDetails & Partial<Pick<SecretPlace, 'environmentId' | 'path' | 'key'>>,
  ): Promise<void>;
  /** Those that are at these places, in the order of their ids, held against changes until the transaction ends. */
  findAllForUpdate(
    transaction: Transaction,
    vaultId: string,
    places: readonly SpotInVault[],
  ): Promise<Secret[]>;
  /** To another environment, another folder, or both. */
  move(
    transaction: Transaction,
    ids: readonly string[],
    to: { readonly environmentId?: string | undefined; readonly path?: string | undefined },
  ): Promise<void>;
  trash(transaction: Transaction, ids: readonly string[]): Promise<void>;
  restore(transaction: Transaction, id: string): Promise<void>;
  /** Gone for good, with every version. */
  destroy(transaction: Transaction, ids: readonly string[]): Promise<void>;
  trashedBefore(moment: Date, limit: number): Promise<string[]>;
}

const columns = {
  id: secrets.id,
  vaultId: secrets.vaultId,
  environmentId: secrets.environmentId,
  environment: environments.slug,
  environmentPosition: environments.position,
  path: secrets.path,
  key: secrets.key,
  note: secrets.note,
  tags: secrets.tags,
  version: secrets.currentVersion,
  expiresAt: secrets.expiresAt,
  createdAt: secrets.createdAt,
  updatedAt: secrets.updatedAt,
  deletedAt: secrets.deletedAt,
};

const order = [
  asc(environments.position),
  asc(environments.slug),
  asc(secrets.path),
  asc(secrets.key),
  asc(secrets.id),
];

export function createSecretRepository(db: Database): SecretRepository {
  const at = (place: SecretPlace) =>
    and(
      eq(secrets.vaultId, place.vaultId),
      eq(secrets.environmentId, place.environmentId),
      eq(secrets.path, place.path),
      eq(secrets.key, place.key),
    );
  const select = (executor: Executor) =>
    executor
      .select(columns)
      .from(secrets)
      .innerJoin(environments, eq(environments.id, secrets.environmentId));

  return {
    async find(place, executor = db) {
      return (await select(executor).where(and(at(place), isNull(secrets.deletedAt))))[0];
    },

    async findForUpdate(transaction, place) {
      const rows = await select(transaction)
        .where(and(at(place), isNull(secrets.deletedAt)))
        .for('update', { of: secrets });
      return rows[0];
    },

    findTrashed: (transaction, place) =>
      select(transaction)
        .where(and(at(place), isNotNull(secrets.deletedAt)))
        .orderBy(desc(secrets.deletedAt), desc(secrets.id))
        .for('update', { of: secrets }),

    list: (filter, after, limit) =>
      select(db)
        .where(and(...conditions(filter, after)))
        .orderBy(...order)
        .limit(limit),

    async listSealed(filter, after, limit, executor = db) {
      const rows = await executor
        .select({ secret: columns, sealed: versionColumns })
        .from(secrets)
        .innerJoin(environments, eq(environments.id, secrets.environmentId))
        .innerJoin(
          secretVersions,
          and(eq(secretVersions.secretId, secrets.id), eq(secretVersions.version, secrets.currentVersion)),
        )
        .where(and(...conditions(filter, after)))
        .orderBy(...order)
        .limit(limit);
      return rows.map(({ secret, sealed }) => ({ ...secret, sealed }));
    },

    async count(transaction, vaultId) {
      const rows = await transaction
        .select({ count: count() })
        .from(secrets)
        .where(and(eq(secrets.vaultId, vaultId), isNull(secrets.deletedAt)));
      return rows[0]?.count ?? 0;
    },

    async insertIfAbsent(transaction, rows) {
      if (rows.length === 0) return [];
      const inserted = await transaction
        .insert(secrets)
        .values(
          rows.map(({ id, vaultId, environmentId, path, key, note, tags, expiresAt }) => ({
            id,
            vaultId,
            environmentId,
            path,
            key,
            note: note ?? null,
            tags: [...(tags ?? [])],
            expiresAt: expiresAt ?? null,
          })),
        )
        .onConflictDoNothing()
        .returning({ id: secrets.id });
      return inserted.map(({ id }) => id);
    },

    async advance(transaction, id, from, details) {
      const rows = await transaction
        .update(secrets)
        .set({ ...changes(details), currentVersion: from + 1, updatedAt: sql`now()` })
        .where(and(eq(secrets.id, id), eq(secrets.currentVersion, from), isNull(secrets.deletedAt)))
        .returning({ id: secrets.id });
      return rows.length === 1;
    },

    updateDetails: (transaction, id, change) =>
      orKeyTaken(async () => {
        await transaction
          .update(secrets)
          .set({
            ...changes(change),
            ...(change.environmentId === undefined ? {} : { environmentId: change.environmentId }),
            ...(change.path === undefined ? {} : { path: change.path }),
            ...(change.key === undefined ? {} : { key: change.key }),
            updatedAt: sql`now()`,
          })
          .where(eq(secrets.id, id));
      }),

    findAllForUpdate: (transaction, vaultId, places) =>
      select(transaction)
        .where(
          and(
            eq(secrets.vaultId, vaultId),
            isNull(secrets.deletedAt),
            sql`(${secrets.environmentId}, ${secrets.path}, ${secrets.key}) in (select * from unnest(
              ${sql.param(places.map(({ environmentId }) => environmentId))}::uuid[],
              ${sql.param(places.map(({ path }) => path))}::text[],
              ${sql.param(places.map(({ key }) => key))}::text[]))`,
          ),
        )
        .orderBy(asc(secrets.id))
        .for('update', { of: secrets }),

    move: (transaction, ids, { environmentId, path }) =>
      orKeyTaken(async () => {
        await transaction
          .update(secrets)
          .set({
            ...(environmentId === undefined ? {} : { environmentId }),
            ...(path === undefined ? {} : { path }),
            updatedAt: sql`now()`,
          })
          .where(inArray(secrets.id, [...ids]));
      }),

    async trash(transaction, ids) {
      if (ids.length === 0) return;
      await transaction
        .update(secrets)
        .set({ deletedAt: sql`now()` })
        .where(and(inArray(secrets.id, [...ids]), isNull(secrets.deletedAt)));
    },

    restore: (transaction, id) =>
      orKeyTaken(async () => {
        await transaction
          .update(secrets)
          .set({ deletedAt: null, updatedAt: sql`now()` })
          .where(eq(secrets.id, id));
      }),

    async destroy(transaction, ids) {
      if (ids.length > 0) await transaction.delete(secrets).where(inArray(secrets.id, [...ids]));
    },

    async trashedBefore(moment, limit) {
      const rows = await db
        .select({ id: secrets.id })
        .from(secrets)
        .where(lt(secrets.deletedAt, moment))
        .limit(limit);
      return rows.map(({ id }) => id);
    },
  };
}

function changes({ note, tags, expiresAt }: SecretDetails) {
  return {
    ...(note === undefined ? {} : { note }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function conditions(filter: SecretFilter, after: SecretPosition | undefined): (SQL | undefined)[] {
  const { environments: slugs, below, path, search, tag } = filter;
  return [
    eq(secrets.vaultId, filter.vaultId),
    filter.trash ? isNotNull(secrets.deletedAt) : isNull(secrets.deletedAt),
    slugs === null ? undefined : inArray(environments.slug, [...slugs]),
    below === undefined ? undefined : sql`starts_with(${secrets.path}, ${below})`,
    path === undefined ? undefined : eq(secrets.path, path),
    search === undefined
      ? undefined
      : sql`strpos(lower(${secrets.key} || ' ' || coalesce(${secrets.note}, '')), lower(${search})) > 0`,
    tag === undefined ? undefined : sql`${secrets.tags} @> array[${tag}]::text[]`,
    after === undefined
      ? undefined
      : sql`(${environments.position}, ${environments.slug}, ${secrets.path}, ${secrets.key}, ${secrets.id})
          > (${after[0]}::int, ${after[1]}, ${after[2]}, ${after[3]}, ${after[4]}::uuid)`,
  ];
}

async function orKeyTaken(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (violatedConstraint(error) !== 'secrets_key') throw error;
    throw new VaultError('key_taken', 'There is already a secret of this name in this place.');
  }
}
