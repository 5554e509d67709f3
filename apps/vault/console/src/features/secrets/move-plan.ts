import type { SecretMessage } from '@hearth/protocol-types/vault/secret';
import { folderIn, folderText } from './folders.js';
import type { SecretRow } from './secret-rows.js';

/** What a dialog says: '' stands for all environments, for staying in each one's own, or for no folder named. */
export interface MoveWish {
  readonly from: string;
  readonly env: string;
  readonly folder: string;
}

export interface MovePlan {
  readonly secrets: readonly SecretMessage[];
  readonly to: { readonly env?: string; readonly path?: string };
  /** The first key that several of the values would have in the same place: then none can go. */
  readonly clash: MoveClash | undefined;
}

export interface MoveClash {
  readonly key: string;
  readonly of: 'environments' | 'folders';
}

/** The folder that all rows share, as people write it; undefined where they lie in several. */
export function sharedFolder(rows: readonly SecretRow[]): string | undefined {
  const paths = new Set(rows.map(({ path }) => path));
  const [path] = paths;
  return paths.size === 1 && path !== undefined ? folderText(path) : undefined;
}

/** The values that a wish is about, and where they go. A folder that is not named is each one's own. */
export function planMove(rows: readonly SecretRow[], { from, env, folder }: MoveWish): MovePlan {
  const shared = sharedFolder(rows);
  const staysInFolder = shared === undefined ? folder.trim() === '' : folderIn(folder) === folderIn(shared);
  const to = {
    ...(env === '' ? {} : { env }),
    ...(staysInFolder ? {} : { path: folderIn(folder) }),
  };
  const isThere = ({ environment, path }: SecretMessage) =>
    (to.env ?? environment) === environment && (to.path ?? path) === path;
  const secrets = rows
    .flatMap(({ cells }) => [...cells.values()])
    .filter((secret) => (from === '' || secret.environment === from) && !isThere(secret));
  return { secrets, to, clash: clashIn(secrets, to) };
}

function clashIn(secrets: readonly SecretMessage[], to: MovePlan['to']): MoveClash | undefined {
  const seen = new Map<string, SecretMessage>();
  for (const secret of secrets) {
    const target = JSON.stringify([to.env ?? secret.environment, to.path ?? secret.path, secret.key]);
    const other = seen.get(target);
    if (other) {
      return {
        key: secret.key,
        of: other.environment === secret.environment ? 'folders' : 'environments',
      };
    }
    seen.set(target, secret);
  }
  return undefined;
}
