import type { SecretMessage } from '@hearth/protocol-types/vault/secret';
import type { UpdateSecretRequest } from '@hearth/protocol-types/vault/update-secret-request';
import { dayOf, edgeOfDay } from '../../lib/calendar-days.js';
import { folderIn, folderText } from './folders.js';
import { tagsIn } from './tags-in.js';

/** What the form about a secret holds while it is filled in. */
export interface DetailsDraft {
  readonly key: string;
  readonly folder: string;
  readonly environment: string;
  readonly note: string;
  readonly tags: string;
  /** As a date field writes it; nothing for no end. */
  readonly lastDay: string;
}

export function detailsDraftOf(secret: SecretMessage): DetailsDraft {
  return {
    key: secret.key,
    folder: folderText(secret.path),
    environment: secret.environment,
    note: secret.note ?? '',
    tags: secret.tags.join(', '),
    lastDay: secret.expires_at === null ? '' : dayOf(secret.expires_at),
  };
}

/** Just what was changed here: whatever else differs by now is somebody else's change, and stays. */
export function detailsChangeOf(opened: DetailsDraft, draft: DetailsDraft): UpdateSecretRequest {
  const differs = (name: keyof DetailsDraft, read: (text: string) => unknown = (text) => text.trim()) =>
    JSON.stringify(read(opened[name])) !== JSON.stringify(read(draft[name]));
  return {
    ...(differs('key') ? { key: draft.key.trim() } : {}),
    ...(differs('folder', folderIn) ? { path: folderIn(draft.folder) } : {}),
    ...(differs('environment') ? { env: draft.environment } : {}),
    ...(differs('note') ? { note: draft.note.trim() || null } : {}),
    ...(differs('tags', tagsIn) ? { tags: tagsIn(draft.tags) } : {}),
    ...(differs('lastDay') ? { expires_at: edgeOfDay(draft.lastDay, 'last') || null } : {}),
  };
}
