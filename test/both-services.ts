import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { createTestDatabase } from '../apps/vault/test/database.js';
import { type RunningProgram, startProgram } from '../apps/vault/test/start-program.js';
import { signedInBrowser } from '../apps/vault/test/start-test-vault.js';
import { startVaultProcess } from '../apps/vault/test/vault-process.js';

const modelServerProgram = path.resolve(import.meta.dirname, '../apps/model-server/dist/cli.js');

/** The key that the model server has for itself, beside the tokens of the vault. */
export const localKey = 'the-one-key-of-this-server';

export interface MadeToken {
  readonly id: string;
  readonly value: string;
}

export interface BothServices {
  readonly modelServerUrl: string;
  readonly vaultUrl: string;
  /** Everything that the two programs have written so far. */
  output(): string;
  /** Makes a token as a signed-in person does in the console. */
  makeToken(scopes: readonly string[]): Promise<MadeToken>;
  revokeToken(token: MadeToken): Promise<void>;
  killVault(): Promise<void>;
  /** Starts it again where it was. */
  startVaultAgain(): Promise<void>;
  close(): Promise<void>;
}

/** Both programs as a user starts them, the model server pointed at the vault; nothing of them runs in this process. */
export async function startBothServices(): Promise<BothServices> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hearth-both-'));
  const database = await createTestDatabase();
  const vaultEnv = {
    HEARTH_DATA: path.join(folder, 'vault'),
    DATABASE_URL: database.url,
    HEARTH_VAULT_MAKE_MASTER_KEY: 'true',
    HEARTH_VAULT_STAND_IN: 'true',
  };
  const running: RunningProgram[] = [];
  const keep = <Program extends RunningProgram>(program: Program): Program => {
    running.push(program);
    return program;
  };
  const close = async () => {
    await Promise.all(running.map((program) => program.kill('SIGTERM')));
    await database.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    let vault = keep(await startVaultProcess(vaultEnv, ['--port', String(await lastingPort())]));
    const modelServer = keep(
      await startProgram(modelServerProgram, {
        HEARTH_DATA: path.join(folder, 'models'),
        HEARTH_VAULT_URL: vault.url,
        HEARTH_API_KEY: localKey,
        HEARTH_THREADS: '1',
        HEARTH_PARALLEL: '2',
        HEARTH_CONTEXT_LENGTH: '2048',
      }),
    );
    const person = await signedInBrowser(vault, 'ada');
    const tokens = `${vault.url}/api/secrets/tokens`;
    return {
      modelServerUrl: modelServer.url,
      vaultUrl: vault.url,
      output: () => running.map((program) => program.output()).join('\n'),
      async makeToken(scopes) {
        const body = JSON.stringify({ name: randomUUID(), scopes });
        const reply = await person.api(tokens, { method: 'POST', body });
        if (reply.status !== 201) throw new Error(`no token was made: ${reply.status} ${reply.text}`);
        const { id, token } = JSON.parse(reply.text) as { id: string; token: string };
        return { id, value: token };
      },
      async revokeToken({ id }) {
        const reply = await person.api(`${tokens}/${id}`, { method: 'DELETE' });
        if (reply.status !== 204) throw new Error(`the token was not revoked: ${reply.status} ${reply.text}`);
      },
      killVault: () => vault.kill('SIGKILL'),
      async startVaultAgain() {
        vault = keep(await startVaultProcess(vaultEnv, ['--port', new URL(vault.url).port]));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A port that the system gives to nobody by itself, so that it is still free when the vault comes back to it. */
async function lastingPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** The three official client libraries with one key. They do not try again by themselves: a test counts answers. */
export function clientsOf(url: string, key: string) {
  return {
    runner: new Ollama({ host: url, headers: { authorization: `Bearer ${key}` } }),
    completions: new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 }),
    messages: new Anthropic({ baseURL: `${url}/alt`, apiKey: key, maxRetries: 0 }),
  };
}
