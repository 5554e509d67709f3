import type { ImportResponse } from '@hearth/protocol-types/vault/import';
import type {
  SecretMessage,
  SecretValueMessage,
  WrittenSecretMessage,
} from '@hearth/protocol-types/vault/secret';
import type { TokenMessage } from '@hearth/protocol-types/vault/token';
import type { VaultSummary } from '@hearth/protocol-types/vault/vault-summary';
import { StartupError } from '@hearth/service-kit/startup-error';
import type { Login } from './stored-login.js';

export interface Place {
  readonly vaultId: string;
  readonly env: string;
  readonly path: string;
}

/** The API as the commands use it. What the vault refuses comes out as one line that says why. */
export interface VaultClient {
  whoAmI(): Promise<TokenMessage>;
  /** A vault by name or id; without either, the first one. */
  findVault(wanted: string | undefined): Promise<VaultSummary>;
  list(place: Place, withValues: boolean): Promise<SecretMessage[]>;
  read(place: Place, key: string, version: string | undefined): Promise<SecretValueMessage>;
  write(
    place: Place,
    key: string,
    body: { value: string; encoding: 'utf8' | 'base64'; note?: string | undefined },
    headers: Readonly<Record<string, string>>,
  ): Promise<WrittenSecretMessage>;
  rollback(
    place: Place,
    key: string,
    version: number,
    ifVersion: number | undefined,
  ): Promise<WrittenSecretMessage>;
  /** A dry run also tells the revision of the vault that it looked at. */
  importFile(
    place: Place,
    text: string,
    options: { mode: string; dryRun: boolean; ifRevision: number | undefined },
  ): Promise<{ plan: ImportResponse; revision: number | undefined }>;
  exportFile(place: Place, format: string): Promise<string>;
}

interface Request {
  readonly method?: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const patienceMs = 60_000;

export function createVaultClient({ url, token }: Login): VaultClient {
  async function send(path: string, request: Request = {}): Promise<Response> {
    const address = new URL(path, url);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) address.searchParams.set(name, value);
    }
    const body = request.json === undefined ? request.text : JSON.stringify(request.json);
    const type = request.json === undefined ? 'text/plain; charset=utf-8' : 'application/json';
    let response: Response;
    try {
      response = await fetch(address, {
        method: request.method ?? 'GET',
        // A redirect would carry the token to wherever it points.
        redirect: 'error',
        signal: AbortSignal.timeout(patienceMs),
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': type }),
          ...request.headers,
        },
        ...(body === undefined ? {} : { body }),
      });
    } catch {
      throw new StartupError(`cannot reach the vault at ${url}`, 69);
    }
    if (response.ok) return response;
    throw new StartupError(await problemText(response), response.status === 401 ? 77 : 1);
  }

  const json = async <Message>(path: string, request?: Request): Promise<Message> =>
    (await (await send(path, request)).json()) as Message;
  const vault = (place: Place) => `/api/secrets/vaults/${encodeURIComponent(place.vaultId)}`;
  const secret = (place: Place, key: string) => `${vault(place)}/secrets/${encodeURIComponent(key)}`;
  const where = ({ env, path }: Place) => ({ env, path });

  return {
    whoAmI: () => json('/api/secrets/token'),

    async findVault(wanted) {
      const vaults = await json<VaultSummary[]>('/api/secrets/vaults', { query: { limit: '200' } });
      const found =
        wanted === undefined
          ? vaults[0]
          : (vaults.find(({ id }) => id === wanted) ??
            vaults.find(({ name }) => name.toLowerCase() === wanted.toLowerCase()));
      if (found !== undefined) return found;
      throw new StartupError(wanted === undefined ? 'the token opens no vault' : 'there is no such vault');
    },

    async list(place, withValues) {
      const query = { ...where(place), include: withValues ? 'values' : undefined };
      const secrets = await json<SecretMessage[]>(`${vault(place)}/secrets`, { query });
      return secrets.filter(({ path }) => path === place.path);
    },

    read: (place, key, version) => json(secret(place, key), { query: { ...where(place), version } }),

    write: (place, key, body, headers) =>
      json(secret(place, key), { method: 'PUT', query: where(place), json: body, headers }),

    rollback: (place, key, version, ifVersion) =>
      json(`${secret(place, key)}/rollback`, {
        method: 'POST',
        query: where(place),
        json: { version },
        headers: ifVersion === undefined ? {} : { 'if-match': `"${ifVersion}"` },
      }),

    async importFile(place, text, { mode, dryRun, ifRevision }) {
      const response = await send(`${vault(place)}/import`, {
        method: 'POST',
        query: { ...where(place), mode, dry_run: String(dryRun) },
        text,
        headers: ifRevision === undefined ? {} : { 'if-match': `"r${ifRevision}"` },
      });
      const seen = /^"r(\d+)"$/.exec(response.headers.get('etag') ?? '')?.[1];
      return {
        plan: (await response.json()) as ImportResponse,
        revision: seen === undefined ? undefined : Number(seen),
      };
    },

    async exportFile(place, format) {
      return (await send(`${vault(place)}/export`, { query: { ...where(place), format } })).text();
    },
  };
}

async function problemText(response: Response): Promise<string> {
  if (response.status === 401)
    return 'the vault does not accept this token: it is unknown, expired or revoked';
  try {
    const problem = (await response.json()) as {
      detail?: string;
      title?: string;
      errors?: { pointer: string; detail: string }[];
    };
    const fields = (problem.errors ?? []).map(({ pointer, detail }) => `\n  ${pointer}: ${detail}`).join('');
    return `${problem.detail ?? problem.title ?? `the vault answered ${response.status}`}${fields}`;
  } catch {
    return `the vault answered ${response.status}`;
  }
}
