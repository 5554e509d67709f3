import type { Logger } from '@hearth/service-kit/logger';
import { packageVersion } from '@hearth/service-kit/package-version';
import type { Express } from 'express';
import { createAccountRepository } from './accounts/account-repository.js';
import { createAccountService } from './accounts/account-service.js';
import { identityRoutes } from './accounts/identity-routes.js';
import { createOperatorRule } from './accounts/operator-rule.js';
import { signupRuleOf } from './accounts/signup-rule.js';
import { composeApi } from './compose-api.js';
import { composeDomain, type Domain } from './compose-domain.js';
import { isLoopbackUrl } from './config/loopback.js';
import type { VaultConfig } from './config.js';
import { consoleRoutes } from './console-pages/console-routes.js';
import { createApp } from './create-app.js';
import type { GitHubKeys } from './crypto/github-signature.js';
import { checkDatabase } from './db/check-database.js';
import type { Database } from './db/client.js';
import type { HousekeepingTasks } from './housekeeping.js';
import { createCookies } from './http/cookies.js';
import { securityRules } from './http/security/security-rules.js';
import type { MasterKeySource } from './keys/load-master-keys.js';
import { sealRoutes } from './seal/seal-routes.js';
import type { VaultSeal } from './seal/vault-seal.js';
import { createSessionRepository } from './sessions/session-repository.js';
import { sessionRoutes } from './sessions/session-routes.js';
import { createSessionService, type SessionService } from './sessions/session-service.js';
import { configurePassport } from './sign-in/configure-passport.js';
import { createFlowCookies } from './sign-in/flow-cookie.js';
import { providerRoutes } from './sign-in/provider-routes.js';
import type { ProviderSettings } from './sign-in/provider-settings.js';
import { signInRoutes } from './sign-in/sign-in-routes.js';

export interface ComposeOptions {
  readonly config: VaultConfig;
  readonly publicUrl: string;
  readonly providers: readonly ProviderSettings[];
  readonly db: Database;
  readonly masterKeys: MasterKeySource;
  readonly seal: VaultSeal;
  /** By which GitHub signs reports of leaked tokens. */
  readonly githubKeys: GitHubKeys;
  readonly logger: Logger;
}

export interface Services {
  readonly app: Express;
  readonly domain: Domain;
  readonly sessions: SessionService;
  readonly housekeeping: HousekeepingTasks;
}

const hour = 3_600_000;

/** The only wiring: database to repositories to services to routes. */
export function composeServices(options: ComposeOptions): Services {
  const { config, publicUrl, providers, db, masterKeys, seal, githubKeys, logger } = options;
  const domain = composeDomain({ db, masterKeys, logger });
  const { audit, inTransaction: runInTransaction } = domain;
  const cookies = createCookies(publicUrl);
  const sessions = createSessionService({
    repository: createSessionRepository(db),
    runInTransaction,
    lifetimes: {
      idleMs: config.sessionIdleHours * hour,
      absoluteMs: config.sessionMaxDays * 24 * hour,
      freshMs: config.freshLoginMinutes * 60_000,
    },
    audit,
  });
  const repository = createAccountRepository(db);
  const isOperator = createOperatorRule({ repository, logins: config.operators });
  const accounts = createAccountService({
    repository,
    sessions,
    runInTransaction,
    signupRule: signupRuleOf({ ...config, loopback: isLoopbackUrl(publicUrl) }),
    createPersonalVault: domain.vaults.createPersonal,
    audit,
  });
  const passport = configurePassport(providers, {
    publicUrl,
    flows: createFlowCookies(cookies, () => domain.keys.current().all.map(({ cookie }) => cookie)),
    timeoutMs: config.providerTimeoutSeconds * 1000,
  });
  const app = createApp({
    logger,
    readiness: { database: () => checkDatabase(db), master_key: domain.keys.check },
    trustedProxies: config.trustedProxies,
    securityRules: securityRules({
      publicUrl,
      rateLimits: config.rateLimits,
      verifier: domain.tokenVerifier,
      exposedTokens: domain.exposedTokens,
      sessions,
      cookies,
    }),
    routes: [
      ...composeApi({
        domain,
        more: [
          ...providerRoutes(providers),
          ...sessionRoutes({ sessions, accounts, cookies }),
          ...identityRoutes({ accounts }),
          ...sealRoutes({
            seal,
            isOperator,
            audit,
          }),
        ],
        isOperator,
        isFresh: ({ browserSession }) => browserSession !== undefined && sessions.isFresh(browserSession),
        version: packageVersion(new URL('../package.json', import.meta.url)),
        publicUrl,
        githubKeys,
      }),
      signInRoutes({
        passport,
        providers,
        accounts,
        sessions,
        cookies,
        publicUrl,
        sessionMaxSeconds: config.sessionMaxDays * 24 * 3600,
        logger,
      }),
      consoleRoutes({ publicUrl, logger }),
    ],
  });
  const removeOldAuditEvents = () =>
    domain.auditRetention.removeBefore(new Date(domain.now().getTime() - config.auditDays * 24 * hour));
  return {
    app,
    domain,
    sessions,
    housekeeping: {
      expired_sessions: sessions.deleteExpired,
      ...domain.housekeeping,
      ...(config.auditDays === 0 ? {} : { old_audit_events: removeOldAuditEvents }),
    },
  };
}
