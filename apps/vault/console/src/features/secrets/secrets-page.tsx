import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { hasCode } from '../../api/problem.js';
import { queryKeys } from '../../api/query-client.js';
import { listSecrets } from '../../api/secret-api.js';
import { listEnvironments, readVault } from '../../api/vault-api.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { NotFoundPage } from '../shell/not-found-page.js';
import { SecretsView } from './secrets-view.js';

const pollMs = 30_000;

/** One vault: its keys by its environments. Lists are asked for again now and then; values never are. */
export function SecretsPage() {
  const { vaultId = '' } = useParams();
  const vault = useQuery({ queryKey: queryKeys.vault(vaultId), queryFn: () => readVault(vaultId) });
  const environments = useQuery({
    queryKey: queryKeys.environments(vaultId),
    queryFn: () => listEnvironments(vaultId),
  });
  const secrets = useQuery({
    queryKey: queryKeys.secrets(vaultId),
    queryFn: () => listSecrets(vaultId),
    refetchInterval: pollMs,
  });
  if (hasCode(vault.error, 'not_found') || hasCode(vault.error, 'validation_failed')) return <NotFoundPage />;
  if (!vault.data || !environments.data || !secrets.data) {
    const failed = vault.error ?? environments.error ?? secrets.error;
    return failed ? <ProblemNotice error={failed} /> : <Skeleton rows={10} />;
  }
  return (
    <SecretsView
      key={vaultId}
      vault={vault.data}
      environments={environments.data.map(({ slug }) => slug)}
      secrets={secrets.data}
    />
  );
}
