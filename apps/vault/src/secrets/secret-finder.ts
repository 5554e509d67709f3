import type { Caller } from '../access/caller.js';
import type { Transaction } from '../db/transaction.js';
import type { EnvironmentService } from '../environments/environment-service.js';
import { VaultError } from '../errors/vault-error.js';
import type { VaultService } from '../vaults/vault-service.js';
import type { Secret, SecretPlace } from './secret.js';
import type { SecretRepository } from './secret-repository.js';
import { requireCondition, requireStated, type WriteCondition } from './write-condition.js';

/** A place in the caller's words. */
export interface NamedPlace {
  readonly vaultId: string;
  readonly environment: string;
  readonly path: string;
  readonly key: string;
}

/** Finds places and secrets that a caller may know of; for anything else the answer is that it does not exist. */
export interface SecretFinder {
  place(caller: Caller, named: NamedPlace, transaction?: Transaction): Promise<SecretPlace>;
  find(caller: Caller, named: NamedPlace, transaction?: Transaction): Promise<Secret>;
  findForUpdate(transaction: Transaction, caller: Caller, named: NamedPlace): Promise<Secret>;
  /** A place to be written to under this condition, which the vault may ask for. */
  placeToWrite(
    transaction: Transaction,
    caller: Caller,
    named: NamedPlace,
    condition: WriteCondition,
  ): Promise<SecretPlace>;
  /** A secret to be changed under this condition, which holds for it. */
  findToWrite(
    transaction: Transaction,
    caller: Caller,
    named: NamedPlace,
    condition: WriteCondition,
  ): Promise<Secret>;
}

export interface SecretFinderParts {
  readonly secrets: SecretRepository;
  readonly vaults: Pick<VaultService, 'find'>;
  readonly environments: Pick<EnvironmentService, 'find'>;
}

export function createSecretFinder({ secrets, vaults, environments }: SecretFinderParts): SecretFinder {
  async function place(caller: Caller, named: NamedPlace, transaction?: Transaction): Promise<SecretPlace> {
    await vaults.find(caller, named.vaultId, transaction);
    return placeIn(caller, named, transaction);
  }

  async function placeIn(caller: Caller, named: NamedPlace, transaction?: Transaction): Promise<SecretPlace> {
    const environment = await environments.find(caller, named.vaultId, named.environment, transaction);
    return { vaultId: named.vaultId, environmentId: environment.id, path: named.path, key: named.key };
  }

  async function placeToWrite(
    transaction: Transaction,
    caller: Caller,
    named: NamedPlace,
    condition: WriteCondition,
  ): Promise<SecretPlace> {
    requireStated(await vaults.find(caller, named.vaultId, transaction), condition);
    return placeIn(caller, named, transaction);
  }

  return {
    place,

    placeToWrite,

    async findToWrite(transaction, caller, named, condition) {
      const place = await placeToWrite(transaction, caller, named, condition);
      const secret = orNotFound(await secrets.findForUpdate(transaction, place));
      requireCondition(condition, secret.version);
      return secret;
    },

    async find(caller, named, transaction) {
      return orNotFound(await secrets.find(await place(caller, named, transaction), transaction));
    },

    async findForUpdate(transaction, caller, named) {
      return orNotFound(await secrets.findForUpdate(transaction, await place(caller, named, transaction)));
    },
  };
}

function orNotFound(secret: Secret | undefined): Secret {
  if (secret === undefined) throw new VaultError('not_found', 'There is no such secret.');
  return secret;
}
