import { lazy, Suspense, useEffect } from 'react';
import { Navigate, Outlet, Route, Routes } from 'react-router';
import { Skeleton } from '../components/skeleton.js';
import { HomeRedirect } from '../features/secrets/home-redirect.js';
import { SecretsPage } from '../features/secrets/secrets-page.js';
import { NotFoundPage } from '../features/shell/not-found-page.js';
import { Shell } from '../features/shell/shell.js';
import { RequireSession } from '../features/sign-in/require-session.js';
import { SignInPage } from '../features/sign-in/sign-in-page.js';

// The grid is what most visits open. The other pages come right after it, before anybody asks for them: so they open
// at once, and also while the vault is away.
const pages = {
  tokens: async () => ({ default: (await import('../features/tokens/tokens-page.js')).TokensPage }),
  audit: async () => ({ default: (await import('../features/audit/audit-page.js')).AuditPage }),
  trash: async () => ({ default: (await import('../features/secrets/trash-page.js')).TrashPage }),
  vault: async () => ({ default: (await import('../features/vaults/vault-page.js')).VaultPage }),
  logins: async () => ({ default: (await import('../features/settings/logins-page.js')).LoginsPage }),
  sessions: async () => ({ default: (await import('../features/settings/sessions-page.js')).SessionsPage }),
  backup: async () => ({ default: (await import('../features/settings/backup-page.js')).BackupPage }),
  seal: async () => ({ default: (await import('../features/seal/seal-settings-page.js')).SealSettingsPage }),
};
const TokensPage = lazy(pages.tokens);
const AuditPage = lazy(pages.audit);
const TrashPage = lazy(pages.trash);
const VaultPage = lazy(pages.vault);
const LoginsPage = lazy(pages.logins);
const SessionsPage = lazy(pages.sessions);
const BackupPage = lazy(pages.backup);
const SealSettingsPage = lazy(pages.seal);

const afterFirstPaintMs = 1000;

function usePagesInAdvance(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of Object.values(pages)) load().catch(() => undefined);
    }, afterFirstPaintMs);
    return () => clearTimeout(timer);
  }, []);
}

/** Every address of the console. The vault serves them by the same list (console-routes.ts). */
export function AppRoutes() {
  usePagesInAdvance();
  return (
    <Routes>
      <Route path="/signin" element={<SignInPage />} />
      <Route
        element={
          <RequireSession>
            <Shell>
              <Suspense fallback={<Skeleton />}>
                <Outlet />
              </Suspense>
            </Shell>
          </RequireSession>
        }
      >
        <Route path="/" element={<HomeRedirect />} />
        <Route path="/secrets" element={<HomeRedirect />} />
        <Route path="/secrets/tokens" element={<TokensPage />} />
        <Route path="/secrets/audit" element={<AuditPage />} />
        <Route path="/secrets/:vaultId" element={<SecretsPage />} />
        <Route path="/secrets/:vaultId/trash" element={<TrashPage />} />
        <Route path="/secrets/:vaultId/manage" element={<VaultPage />} />
        <Route path="/settings" element={<Navigate replace to="/settings/logins" />} />
        <Route path="/settings/logins" element={<LoginsPage />} />
        <Route path="/settings/sessions" element={<SessionsPage />} />
        <Route path="/settings/backup" element={<BackupPage />} />
        <Route path="/settings/seal" element={<SealSettingsPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}
