import { vaultLimits } from '@hearth/protocol-types/vault/limits';
import { isRangeWithin, normalRange } from '../access/address.js';
import type { Caller } from '../access/caller.js';
import { eventBy } from '../audit/audit-event.js';
import type { AuditService } from '../audit/audit-service.js';
import { hashToken, isWellFormedToken, mintToken } from '../crypto/api-token.js';
import type { RunInTransaction, Transaction } from '../db/transaction.js';
import { VaultError } from '../errors/vault-error.js';
import type { VaultService } from '../vaults/vault-service.js';
import { currentImplications } from './scopes.js';
import { rightsOf, statusOf, type Token, type TokenGrant } from './token.js';
import { tokenEvent } from './token-audit.js';
import type { TokenChange, TokenRepository } from './token-repository.js';

export interface TokenWish {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresInDays: number | null;
  readonly vaultIds: readonly string[] | null;
  readonly environments: readonly string[] | null;
  readonly ipAllow: readonly string[] | null;
}

/** The only moment at which a token's value is known. */
export interface IssuedToken {
  readonly token: Token;
  readonly value: string;
}

export interface TokenService {
  list(caller: Caller, after: { createdAt: Date; id: string } | undefined, limit: number): Promise<Token[]>;
  find(caller: Caller, id: string): Promise<Token>;
  create(caller: Caller, wish: TokenWish): Promise<IssuedToken>;
  /** A new name, or fewer rights. */
  update(caller: Caller, id: string, change: TokenChange): Promise<Token>;
  /** A new value with the same rights; the old one works on for the grace period. */
  rotate(caller: Caller, id: string, graceSeconds: number): Promise<IssuedToken>;
  /** At once and for good; a second time changes nothing. */
  revoke(caller: Caller, id: string): Promise<void>;
  revokeAll(caller: Caller): Promise<number>;
  /** The token behind a value, if it is live and of the same account. */
  introspect(caller: Caller, value: string): Promise<TokenGrant | undefined>;
}

export interface TokenServiceParts {
  readonly tokens: TokenRepository;
  readonly vaults: Pick<VaultService, 'find'>;
  readonly audit: Pick<AuditService, 'record'>;
  readonly inTransaction: RunInTransaction;
  readonly now: () => Date;
}

const day = 86_400_000;

export function createTokenService(parts: TokenServiceParts): TokenService {
  const { tokens, vaults, audit, inTransaction, now } = parts;

  async function find(caller: Caller, id: string, transaction?: Transaction): Promise<Token> {
    const token =
      transaction === undefined
        ? await tokens.find(caller.userId, id)
        : await tokens.findForUpdate(transaction, caller.userId, id);
    if (token === undefined) throw new VaultError('not_found', 'You have no such token.');
    return token;
  }

  async function requireOwnVaults(caller: Caller, ids: readonly string[] | null | undefined): Promise<void> {
    for (const [index, id] of (ids ?? []).entries()) {
      await vaults.find(caller, id).catch(() => {
        throw invalid(`/vault_ids/${index}`, 'unknown_vault', 'is not a vault of yours');
      });
    }
  }

  async function requireRoom(transaction: Transaction, userId: string): Promise<void> {
    if ((await tokens.countAndHold(transaction, userId)) >= vaultLimits.liveTokensPerUser) {
      throw new VaultError(
        'limit_reached',
        `An account holds at most ${vaultLimits.liveTokensPerUser} live tokens.`,
      );
    }
  }

  return {
    list: (caller, after, limit) => tokens.list(caller.userId, after, limit),

    find: (caller, id) => find(caller, id),

    async create(caller, { expiresInDays, ...wish }) {
      await requireOwnVaults(caller, wish.vaultIds);
      const minted = mintToken();
      return inTransaction(async (transaction) => {
        await requireRoom(transaction, caller.userId);
        const token = await tokens.insert(transaction, {
          ...wish,
          userId: caller.userId,
          hash: minted.hash,
          lastFour: minted.lastFour,
          implications: currentImplications,
          ipAllow: wish.ipAllow?.map(normalRange) ?? null,
          expiresAt: expiresInDays === null ? null : new Date(now().getTime() + expiresInDays * day),
        });
        await audit.record(transaction, tokenEvent(caller, 'token.create', token, { scopes: token.scopes }));
        return { token, value: minted.value };
      });
    },

    async update(caller, id, wanted) {
      await requireOwnVaults(caller, wanted.vaultIds);
      const change = { ...wanted, ipAllow: wanted.ipAllow?.map(normalRange) };
      return inTransaction(async (transaction) => {
        await tokens.hold(transaction, caller.userId);
        const before = await find(caller, id, transaction);
        requireLive(before, now());
        requireNarrower(before, change);
        if (Object.values(change).every((value) => value === undefined)) return before;
        const token = await tokens.update(transaction, before, change);
        const fields = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
        await audit.record(transaction, tokenEvent(caller, 'token.update', token, { fields }));
        return token;
      });
    },

    async rotate(caller, id, graceSeconds) {
      const minted = mintToken();
      return inTransaction(async (transaction) => {
        await tokens.hold(transaction, caller.userId);
        const old = await find(caller, id, transaction);
        requireLive(old, now());
        if (old.rotatedTo !== null) throw new VaultError('conflict', 'The token was already rotated.');
        const at = now();
        // Revoked first, because the new one takes over its name.
        await tokens.revoke(transaction, id, {
          at: new Date(at.getTime() + graceSeconds * 1000),
          reason: 'rotated',
        });
        const lifetime = old.expiresAt === null ? null : old.expiresAt.getTime() - old.createdAt.getTime();
        const token = await tokens.insert(transaction, {
          userId: old.userId,
          name: old.name,
          hash: minted.hash,
          lastFour: minted.lastFour,
          scopes: old.scopes,
          implications: old.implications,
          vaultIds: old.vaultIds,
          environments: old.environments,
          environmentRenames: old.environmentRenames,
          ipAllow: old.ipAllow,
          expiresAt: lifetime === null ? null : new Date(at.getTime() + lifetime),
        });
        await tokens.revoke(transaction, id, {
          at: new Date(at.getTime() + graceSeconds * 1000),
          reason: 'rotated',
          rotatedTo: token.id,
        });
        const meta = { grace_seconds: graceSeconds, rotated_to: token.id };
        await audit.record(transaction, tokenEvent(caller, 'token.rotate', old, meta));
        return { token, value: minted.value };
      });
    },

    revoke: (caller, id) =>
      inTransaction(async (transaction) => {
        const token = await find(caller, id, transaction);
        if (token.revokedAt !== null && token.revokedAt <= now()) return;
        await tokens.revoke(transaction, id, {
          at: now(),
          reason: caller.kind === 'token' ? 'by itself' : 'by its owner',
        });
        await audit.record(transaction, tokenEvent(caller, 'token.revoke', token));
      }),

    revokeAll: (caller) =>
      inTransaction(async (transaction) => {
        const revoked = await tokens.revokeAll(transaction, caller.userId, now());
        if (revoked.length > 0) {
          const meta = { count: revoked.length, tokens: revoked.map(({ name }) => name) };
          await audit.record(transaction, eventBy(caller, 'token.revoke', { meta }));
        }
        return revoked.length;
      }),

    async introspect(caller, value) {
      if (!isWellFormedToken(value)) return undefined;
      const token = await tokens.findByHash(hashToken(value));
      const visible =
        token !== undefined && token.userId === caller.userId && statusOf(token, now()) === 'active';
      return visible ? token : undefined;
    },
  };
}

function requireLive(token: Token, now: Date): void {
  const status = statusOf(token, now);
  if (status !== 'active') throw new VaultError('conflict', `The token is ${status}.`);
}

/** A token that has been handed out may lose rights and never gain any. */
function requireNarrower(token: Token, change: TokenChange): void {
  const held = rightsOf(token);
  const within = (list: readonly string[] | null, item: string) => list === null || list.includes(item);
  const wider = [
    ...widening('scopes', change.scopes, (scope) => held.has(scope)),
    ...widening('vault_ids', change.vaultIds, (id) => within(token.vaultIds, id)),
    ...widening('environments', change.environments, (slug) => within(token.environments, slug)),
    ...widening(
      'ip_allow',
      change.ipAllow,
      (range) => token.ipAllow === null || isRangeWithin(range, token.ipAllow),
    ),
  ];
  if (wider.length === 0) return;
  throw new VaultError('validation_failed', 'A token can only be narrowed; make a new one for more rights.', {
    errors: wider,
  });
}

function widening(field: string, wanted: readonly string[] | undefined, isHeld: (item: string) => boolean) {
  return (wanted ?? []).flatMap((item, index) =>
    isHeld(item)
      ? []
      : [{ pointer: `/${field}/${index}`, code: 'would_widen', detail: 'the token does not have this now' }],
  );
}

function invalid(pointer: string, code: string, detail: string): VaultError {
  return new VaultError('validation_failed', undefined, { errors: [{ pointer, code, detail }] });
}
