import type { SecretMessage, WrittenSecretMessage } from '@hearth/protocol-types/vault/secret';
import type { SecretVersionMessage } from '@hearth/protocol-types/vault/secret-version';
import type { PlainValue } from '../crypto/sealed-value.js';
import { encodeValue } from './plain-value.js';
import type { SealedVersion, Secret } from './secret.js';
import type { WriteResult } from './secret-writer.js';

/** Everything about a secret but its value, as it goes over the wire. */
export function toMetadata(secret: Secret) {
  return {
    id: secret.id,
    key: secret.key,
    path: secret.path,
    environment: secret.environment,
    version: secret.version,
    note: secret.note,
    tags: [...secret.tags],
    expires_at: secret.expiresAt?.toISOString() ?? null,
    created_at: secret.createdAt.toISOString(),
    updated_at: secret.updatedAt.toISOString(),
  };
}

export function toMessage(secret: Secret, value?: PlainValue): SecretMessage {
  return {
    ...toMetadata(secret),
    ...(secret.deletedAt === null ? {} : { deleted_at: secret.deletedAt.toISOString() }),
    ...valueFields(value),
  };
}

export function toWritten({ secret, changed }: WriteResult): WrittenSecretMessage {
  return { ...toMetadata(secret), changed };
}

export function toVersion(sealed: SealedVersion, current: number, value?: PlainValue): SecretVersionMessage {
  return {
    version: sealed.version,
    is_current: sealed.version === current,
    source: sealed.source,
    restored_from: sealed.restoredFrom,
    created_by: { kind: sealed.createdByKind, id: sealed.createdById },
    created_at: sealed.createdAt.toISOString(),
    destroyed_at: sealed.destroyedAt?.toISOString() ?? null,
    ...valueFields(value),
  };
}

function valueFields(value: PlainValue | undefined) {
  return value === undefined ? {} : { value: encodeValue(value), encoding: value.encoding };
}

export function versionTag(version: number): string {
  return `"${version}"`;
}
