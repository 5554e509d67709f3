import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { queryKeys } from '../../api/query-client.js';
import { listVaults } from '../../api/vault-api.js';
import { QueryView } from '../../components/query-view.js';
import { NotFoundPage } from '../shell/not-found-page.js';

/** The start: the oldest vault, which is the personal one. */
export function HomeRedirect() {
  const vaults = useQuery({ queryKey: queryKeys.vaults, queryFn: listVaults });
  return (
    <QueryView query={vaults}>
      {(list) => {
        const first = [...list].sort((a, b) => a.created_at.localeCompare(b.created_at))[0];
        return first ? <Navigate replace to={`/secrets/${first.id}`} /> : <NotFoundPage />;
      }}
    </QueryView>
  );
}
