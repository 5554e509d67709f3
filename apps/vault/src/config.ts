import { commonSettings } from '@hearth/service-kit/common-settings';
import {
  hostSetting,
  integerSetting,
  listSetting,
  portSetting,
  secretSetting,
} from '@hearth/service-kit/setting-schemas';
import {
  defineSettings,
  readSettings,
  type SettingValues,
  settingsReport,
  withPrefixedNames,
} from '@hearth/service-kit/settings';
import { StartupError } from '@hearth/service-kit/startup-error';
import { z } from 'zod';
import {
  flagSetting,
  loginListSetting,
  originSetting,
  postgresUrlSetting,
  proxyListSetting,
} from './config/setting-schemas.js';

/** Every setting of the vault, with its variable, its flag where it has one, and what it may hold. */
export const vaultSettings = (env: NodeJS.ProcessEnv) =>
  withPrefixedNames(defineVaultSettings(env), 'HEARTH_VAULT_');

const defineVaultSettings = (env: NodeJS.ProcessEnv) =>
  defineSettings({
    ...commonSettings(env),
    host: {
      env: 'HEARTH_VAULT_HOST',
      flag: '--host <host>',
      description: 'address to listen on',
      defaultText: '127.0.0.1',
      schema: hostSetting('127.0.0.1'),
    },
    port: {
      env: 'HEARTH_VAULT_PORT',
      flag: '--port <port>',
      description: 'port to listen on; 0 lets the system choose',
      defaultText: '3000',
      schema: portSetting(3000),
    },
    publicUrl: {
      env: 'PUBLIC_URL',
      flag: '--public-url <url>',
      description: 'address under which browsers reach the vault',
      defaultText: 'http://127.0.0.1:<port>',
      schema: originSetting().optional(),
    },
    databaseUrl: {
      env: 'DATABASE_URL',
      description: 'Postgres to use; without it an embedded one in the data folder',
      schema: postgresUrlSetting().optional(),
    },
    databasePoolSize: {
      env: 'HEARTH_VAULT_DATABASE_POOL',
      flag: '--database-pool <connections>',
      description: 'most connections to the database',
      defaultText: '10',
      schema: integerSetting({ min: 2, max: 200, fallback: 10 }),
    },
    masterKey: {
      env: 'VAULT_MASTER_KEY',
      description: '32 random bytes in base64 that protect everything stored',
      schema: secretSetting(1),
    },
    masterKeyFile: {
      env: 'VAULT_MASTER_KEY_FILE',
      description: 'file that holds the master key',
      defaultText: 'vault/master.key in the data folder, made on the first start',
      schema: z.string().min(1).optional(),
    },
    masterKeyPassphrase: {
      env: 'VAULT_MASTER_KEY_PASSPHRASE',
      description: 'passphrase of a sealed master key file; without one the vault starts sealed',
      schema: z.string().min(1).optional(),
    },
    masterKeyPassphraseFile: {
      env: 'VAULT_MASTER_KEY_PASSPHRASE_FILE',
      flag: '--master-key-passphrase-file <file>',
      description: 'file that holds the passphrase of the master key file; - is standard input',
      schema: z.string().min(1).optional(),
    },
    operators: {
      env: 'VAULT_OPERATORS',
      flag: '--operators <logins>',
      description:
        'logins that may seal the vault and read the log of the installation, best by id: github:id:583231, google:1099…',
      defaultText: 'the only account, while there is only one',
      schema: loginListSetting(),
    },
    makeMasterKey: {
      env: 'HEARTH_VAULT_MAKE_MASTER_KEY',
      flag: '--make-master-key [wanted]',
      description: 'make vault/master.key in the data folder on the first start, also with DATABASE_URL',
      defaultText: 'false',
      schema: flagSetting(),
    },
    retiredMasterKeys: {
      env: 'VAULT_MASTER_KEYS_RETIRED',
      description: 'earlier master keys that may still open what they sealed',
      schema: listSetting(),
    },
    signups: {
      env: 'SIGNUPS',
      flag: '--signups <who>',
      description: 'who may make an account by signing in: open, closed or allowlist',
      defaultText: 'open on loopback; elsewhere the first login, then allowlist',
      schema: z
        .enum(['open', 'closed', 'allowlist'], { error: 'must be one of open, closed, allowlist' })
        .optional(),
    },
    allowedLogins: {
      env: 'ALLOWED_LOGINS',
      description: 'logins that the allow list holds: github:octocat, github:id:583231, google:1099…',
      schema: loginListSetting(),
    },
    githubClientId: {
      env: 'GITHUB_CLIENT_ID',
      description: 'client id of the GitHub OAuth app',
      schema: secretSetting(1),
    },
    githubClientSecret: {
      env: 'GITHUB_CLIENT_SECRET',
      description: 'client secret of the GitHub OAuth app',
      schema: secretSetting(1),
    },
    githubOauthBase: {
      env: 'GITHUB_OAUTH_BASE',
      description: 'where GitHub signs people in, for GitHub Enterprise',
      defaultText: 'https://github.com',
      schema: originSetting().default('https://github.com'),
    },
    githubApiBase: {
      env: 'GITHUB_API_BASE',
      description: 'where the GitHub API is, for GitHub Enterprise',
      defaultText: 'https://api.github.com',
      schema: originSetting().default('https://api.github.com'),
    },
    githubLeakKeysFile: {
      env: 'GITHUB_LEAK_KEYS_FILE',
      description:
        'file with the public keys by which GitHub signs reports of leaked tokens, as its API gives them',
      schema: z.string().min(1).optional(),
    },
    googleClientId: {
      env: 'GOOGLE_CLIENT_ID',
      description: 'client id of the Google OAuth client',
      schema: secretSetting(1),
    },
    googleClientSecret: {
      env: 'GOOGLE_CLIENT_SECRET',
      description: 'client secret of the Google OAuth client',
      schema: secretSetting(1),
    },
    googleOauthBase: {
      env: 'GOOGLE_OAUTH_BASE',
      description: 'one address for all of Google’s sign-in, for a stand-in of it',
      schema: originSetting().optional(),
    },
    providerTimeoutSeconds: {
      env: 'HEARTH_VAULT_PROVIDER_TIMEOUT_SECONDS',
      flag: '--provider-timeout-seconds <seconds>',
      description: 'how long a provider may take to answer during a sign-in',
      defaultText: '10',
      schema: integerSetting({ min: 1, max: 60, fallback: 10 }),
    },
    standIn: {
      env: 'HEARTH_VAULT_STAND_IN',
      flag: '--stand-in [wanted]',
      description: 'offer local stand-in providers while none is configured, on loopback only',
      defaultText: 'false',
      schema: flagSetting(),
    },
    standInHost: {
      env: 'HEARTH_VAULT_STAND_IN_HOST',
      flag: '--stand-in-host <host>',
      description: 'address the stand-in providers listen on',
      defaultText: '127.0.0.1',
      schema: hostSetting('127.0.0.1'),
    },
    standInPort: {
      env: 'HEARTH_VAULT_STAND_IN_PORT',
      flag: '--stand-in-port <port>',
      description: 'port of the stand-in providers; 0 lets the system choose',
      defaultText: '0',
      schema: portSetting(0),
    },
    trustedProxies: {
      env: 'TRUSTED_PROXIES',
      description: 'proxies whose X-Forwarded-For is believed: addresses, ranges, loopback, uniquelocal',
      schema: proxyListSetting(),
    },
    sessionIdleHours: {
      env: 'HEARTH_VAULT_SESSION_IDLE_HOURS',
      flag: '--session-idle-hours <hours>',
      description: 'a browser session ends after so long without use',
      defaultText: '8',
      schema: integerSetting({ min: 1, max: 720, fallback: 8 }),
    },
    sessionMaxDays: {
      env: 'HEARTH_VAULT_SESSION_MAX_DAYS',
      flag: '--session-max-days <days>',
      description: 'a browser session ends after so long in any case',
      defaultText: '7',
      schema: integerSetting({ min: 1, max: 90, fallback: 7 }),
    },
    freshLoginMinutes: {
      env: 'HEARTH_VAULT_FRESH_LOGIN_MINUTES',
      flag: '--fresh-login-minutes <minutes>',
      description: 'how recent a sign-in must be to make tokens, export, destroy or link logins',
      defaultText: '15',
      schema: integerSetting({ min: 1, max: 1440, fallback: 15 }),
    },
    auditDays: {
      env: 'HEARTH_VAULT_AUDIT_DAYS',
      flag: '--audit-days <days>',
      description: 'older events of the audit log are removed; 0 keeps them for ever',
      defaultText: '365',
      schema: integerSetting({ min: 0, max: 36_500, fallback: 365 }),
    },
    rateLimits: {
      env: 'HEARTH_VAULT_RATE_LIMITS',
      flag: '--rate-limits [wanted]',
      description: 'limit how often a token, session or address may call',
      defaultText: 'true',
      schema: flagSetting(true),
    },
  });

export type VaultConfig = SettingValues<ReturnType<typeof vaultSettings>>;

/** Reads and checks all settings; the rules that join two of them are checked here. */
export function readConfig(sources: {
  flags: Readonly<Record<string, unknown>>;
  env: NodeJS.ProcessEnv;
}): VaultConfig {
  const config = readSettings(vaultSettings(sources.env), sources);
  const problems: string[] = [];
  const together = (a: unknown, b: unknown, names: string) => {
    if ((a === undefined) !== (b === undefined)) problems.push(`${names}: set both or neither`);
  };
  together(config.githubClientId, config.githubClientSecret, 'GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET');
  together(config.googleClientId, config.googleClientSecret, 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET');
  if (config.masterKey !== undefined && config.masterKeyFile !== undefined) {
    problems.push('VAULT_MASTER_KEY and VAULT_MASTER_KEY_FILE: set only one');
  }
  if (config.masterKeyPassphrase !== undefined && config.masterKeyPassphraseFile !== undefined) {
    problems.push('VAULT_MASTER_KEY_PASSPHRASE and VAULT_MASTER_KEY_PASSPHRASE_FILE: set only one');
  }
  if (config.masterKey !== undefined && (config.masterKeyPassphrase ?? config.masterKeyPassphraseFile)) {
    problems.push('VAULT_MASTER_KEY: needs no passphrase; only a key file can be sealed by one');
  }
  if (config.signups === 'allowlist' && config.allowedLogins.length === 0) {
    problems.push('ALLOWED_LOGINS: must name someone when SIGNUPS is allowlist');
  }
  if (problems.length > 0) throw new StartupError(settingsReport(problems));
  return config;
}
