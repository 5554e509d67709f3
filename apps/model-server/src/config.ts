import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { commonSettings } from '@hearth/service-kit/common-settings';
import {
  hostSetting,
  integerSetting,
  listSetting,
  portSetting,
  secretSetting,
} from '@hearth/service-kit/setting-schemas';
import { defineSettings, readSettings, type SettingValues } from '@hearth/service-kit/settings';
import { z } from 'zod';
import { engineFlags } from './engine-flags.js';

const bundledModelFile = fileURLToPath(new URL('../../../models/ember/ember.gguf', import.meta.url));

const folder = z.string().transform((name) => path.resolve(name));

/** Other programs take a bare `host:port` too. */
const proxyAddress = z
  .string()
  .transform((address) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`))
  .pipe(
    z.url({
      protocol: /^(https?|socks|socks5h?)$/,
      error: 'must be the address of a proxy: http, https, socks5 or socks5h',
    }),
  )
  .optional();

/** Where Hugging Face's own tools keep what they download. */
function usualHubCache(env: NodeJS.ProcessEnv): string {
  const home =
    env['HF_HOME'] || path.join(env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache'), 'huggingface');
  return path.resolve(env['HF_HUB_CACHE'] || path.join(home, 'hub'));
}

/** Every setting of the model server: its flag, its variable, what it may hold and its default. */
export const modelServerSettings = (env: NodeJS.ProcessEnv) =>
  defineSettings({
    host: {
      env: 'HEARTH_HOST',
      flag: '--host <host>',
      description: 'address to listen on',
      defaultText: '127.0.0.1',
      schema: hostSetting('127.0.0.1'),
    },
    port: {
      env: 'HEARTH_PORT',
      flag: '--port <port>',
      description: 'port to listen on',
      defaultText: '11434',
      schema: portSetting(11_434),
    },
    apiKey: {
      env: 'HEARTH_API_KEY',
      flag: '--api-key <key>',
      description: 'turn authentication on; the key that every request must carry',
      defaultText: 'none, authentication off',
      schema: secretSetting(1),
    },
    vaultUrl: {
      env: 'HEARTH_VAULT_URL',
      flag: '--vault-url <url>',
      description: 'vault whose tokens open this server too, by their scopes models:use and models:manage',
      defaultText: 'none',
      schema: z
        .string()
        .regex(/^https?:\/\/[^/]+\/?$/, 'must be an address such as http://127.0.0.1:3000')
        .optional(),
    },
    maxBodyMegabytes: {
      env: 'HEARTH_MAX_BODY_MB',
      flag: '--max-body-mb <megabytes>',
      description: 'largest request body',
      defaultText: '32',
      schema: integerSetting({ min: 1, max: 1024, fallback: 32 }),
    },
    origins: {
      env: 'HEARTH_ORIGINS',
      flag: '--origins <origin...>',
      description:
        'origins whose web pages may call the server, besides those of this machine; a * at the end stands for anything',
      defaultText: 'none',
      schema: listSetting(),
    },
    modelStore: {
      env: 'HEARTH_MODELS',
      flag: '--models <folder>',
      description: 'store of pulled and created models; may be one that another runner filled',
      defaultText: 'models/ in the data folder',
      schema: folder.optional(),
    },
    modelFolders: {
      env: 'HEARTH_MODELS_DIRS',
      flag: '--models-dir <folder...>',
      description: 'folders whose GGUF files are served where they lie',
      defaultText: 'none',
      schema: listSetting().transform((folders) => folders.map((name) => path.resolve(name))),
    },
    hubCache: {
      env: 'HEARTH_HF_CACHE',
      flag: '--hf-cache <folder>',
      description:
        'Hugging Face cache whose GGUF files are served where they lie; "auto" finds the usual place',
      defaultText: 'none',
      schema: z
        .string()
        .transform((name) => (name === 'auto' ? usualHubCache(env) : path.resolve(name)))
        .optional(),
    },
    hubEndpoint: {
      env: 'HF_ENDPOINT',
      description: 'the hub that hf.co/… models are pulled from',
      defaultText: 'https://huggingface.co',
      schema: z
        .url({ protocol: /^https?$/, error: 'must be a web address' })
        .default('https://huggingface.co'),
    },
    hubToken: {
      env: 'HF_TOKEN',
      description: 'token for private and gated models of the hub',
      defaultText: 'none',
      schema: secretSetting(1),
    },
    registryAuthFile: {
      env: 'HEARTH_REGISTRY_AUTH_FILE',
      description: 'file with logins for registries, as docker login writes it (~/.docker/config.json)',
      defaultText: 'none',
      schema: folder.optional(),
    },
    httpsProxy: {
      env: 'HTTPS_PROXY',
      alsoEnv: 'https_proxy',
      description: 'proxy through which https hosts are reached to pull and push',
      defaultText: 'none',
      schema: proxyAddress,
    },
    httpProxy: {
      env: 'HTTP_PROXY',
      alsoEnv: 'http_proxy',
      description: 'proxy through which http hosts are reached to pull and push',
      defaultText: 'none',
      schema: proxyAddress,
    },
    allProxy: {
      env: 'ALL_PROXY',
      alsoEnv: 'all_proxy',
      description: 'proxy for https and http hosts that have none of their own',
      defaultText: 'none',
      schema: proxyAddress,
    },
    noProxy: {
      env: 'NO_PROXY',
      alsoEnv: 'no_proxy',
      description: 'hosts that are reached without a proxy, their sub-domains included; * for all',
      defaultText: 'none; this machine always is',
      schema: listSetting(),
    },
    bundledModel: {
      env: 'HEARTH_BUNDLED_MODEL',
      description: 'GGUF file of the model that comes with the server',
      defaultText: 'models/ember/ember.gguf of this distribution',
      schema: folder.default(bundledModelFile),
    },
    ...engineFlags,
    ...commonSettings(env),
  });

export type ModelServerConfig = SettingValues<ReturnType<typeof modelServerSettings>>;

export function readConfig(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): ModelServerConfig {
  return readSettings(modelServerSettings(env), { flags, env });
}
