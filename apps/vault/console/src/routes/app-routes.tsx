import { lazy, Suspense } from 'react';
import { Navigate, Outlet, Route, Routes } from 'react-router';
import { Skeleton } from '../components/skeleton.js';
import { HomeRedirect } from '../features/secrets/home-redirect.js';
import { SecretsPage } from '../features/secrets/secrets-page.js';
import { NotFoundPage } from '../features/shell/not-found-page.js';
import { Shell } from '../features/shell/shell.js';
import { RequireSession } from '../features/sign-in/require-session.js';
import { SignInPage } from '../features/sign-in/sign-in-page.js';

// The grid is what most visits open; the other pages come when they are wanted.
const TokensPage = lazy(async () => ({
  default: (await import('../features/tokens/tokens-page.js')).TokensPage,
}));
const AuditPage = lazy(async () => ({
  default: (await import('../features/audit/audit-page.js')).AuditPage,
}));
const TrashPage = lazy(async () => ({
  default: (await import('../features/secrets/trash-page.js')).TrashPage,
}));
const VaultPage = lazy(async () => ({
  default: (await import('../features/vaults/vault-page.js')).VaultPage,
}));
const LoginsPage = lazy(async () => ({
  default: (await import('../features/settings/logins-page.js')).LoginsPage,
}));
const SessionsPage = lazy(async () => ({
  default: (await import('../features/settings/sessions-page.js')).SessionsPage,
}));
const BackupPage = lazy(async () => ({
  default: (await import('../features/settings/backup-page.js')).BackupPage,
}));

/** Every address of the console. The vault serves them by the same list (console-routes.ts). */
export function AppRoutes() {
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
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}
