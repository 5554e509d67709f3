import { describe, expect, test } from '@jest/globals';
import { readConfig } from './config.js';

const read = (env: NodeJS.ProcessEnv, flags: Record<string, unknown> = {}) => readConfig({ env, flags });

describe('the settings of the vault', () => {
  test('have defaults for everything', () => {
    expect(read({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: undefined,
      signups: undefined,
      standIn: false,
      trustedProxies: [],
      sessionIdleHours: 8,
      sessionMaxDays: 7,
      freshLoginMinutes: 15,
      rateLimits: true,
      auditDays: 365,
    });
  });

  test('come from flags before the environment', () => {
    expect(read({ HEARTH_VAULT_PORT: '4000' }, { port: '5000' }).port).toBe(5000);
    expect(read({ HEARTH_VAULT_STAND_IN: 'false' }, { standIn: true }).standIn).toBe(true);
  });

  test('are refused all at once, and no value is repeated', () => {
    const bad = {
      HEARTH_VAULT_PORT: 'canary-port',
      DATABASE_URL: 'mysql://canary-user:canary-password@host/db',
      PUBLIC_URL: 'http://canary.example.com',
      SIGNUPS: 'canary-signups',
      ALLOWED_LOGINS: 'canary-login',
      TRUSTED_PROXIES: 'canary-proxy',
      HEARTH_VAULT_STAND_IN: 'canary-flag',
    };
    let message = '';
    try {
      read(bad);
    } catch (error) {
      message = String(error);
    }
    for (const name of Object.keys(bad)) expect(message).toContain(name);
    expect(message).not.toContain('canary');
  });

  test.each([
    [{ GITHUB_CLIENT_ID: 'id' }, /GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET: set both or neither/],
    [{ GOOGLE_CLIENT_SECRET: 's' }, /GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET: set both or neither/],
    [{ VAULT_MASTER_KEY: 'a', VAULT_MASTER_KEY_FILE: 'b' }, /set only one/],
    [{ SIGNUPS: 'allowlist' }, /ALLOWED_LOGINS: must name someone/],
  ])('that do not fit together are refused: %j', (env, message) => {
    expect(() => read(env)).toThrow(message);
  });

  test.each([
    'postgres://user:password@host:5432/database',
    'postgresql://host/database?sslmode=require',
    'postgres:///database?host=/run/postgresql',
    'postgres://user@/database?host=/run/postgresql',
    'postgres://user:password@/database?host=/run/postgresql&port=5433',
    'postgres://%2Frun%2Fpostgresql/database',
  ])('take every form of DATABASE_URL that the driver reads: %s', (url) => {
    expect(read({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  test.each([
    ['https://vault.example.com', 'https://vault.example.com'],
    ['https://vault.example.com/', 'https://vault.example.com'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('take %s as the public address', (given, kept) => {
    expect(read({ PUBLIC_URL: given }).publicUrl).toBe(kept);
  });

  test.each([
    'http://vault.example.com',
    'https://vault.example.com/path',
    'https://u:p@x.example',
    'vault',
    'ftp://x',
  ])('refuse %s as the public address', (given) => {
    expect(() => read({ PUBLIC_URL: given })).toThrow(/PUBLIC_URL/);
  });

  test.each(['10.0.0.0/8', '::1', 'fd00::/8', 'loopback'])('take %s as a trusted proxy', (proxy) => {
    expect(read({ TRUSTED_PROXIES: proxy }).trustedProxies).toEqual([proxy]);
  });

  test.each(['10.0.0.0/33', 'true', '*', '1'])('refuse %s as a trusted proxy', (proxy) => {
    expect(() => read({ TRUSTED_PROXIES: proxy })).toThrow(/TRUSTED_PROXIES/);
  });
});
