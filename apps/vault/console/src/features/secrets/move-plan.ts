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
  return { secrets, to };
}
