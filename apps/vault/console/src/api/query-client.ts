import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './problem.js';

/** Lists and metadata only. Values of secrets never enter this cache (see features/secrets/use-revealed.ts). */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A browser without a network still reaches a vault on its own machine; whether it does, only asking tells.
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 10_000,
        gcTime: 5 * 60_000,
        retry: (failures, error) =>
          failures < 2 && !(error instanceof ApiProblem && error.status < 500 && error.status !== 429),
      },
    },
  });
}

export const queryKeys = {
  providers: ['providers'],
  session: ['session'],
  sessions: ['sessions'],
  seal: ['seal'],
  identities: ['identities'],
  vaults: ['vaults'],
  vault: (id: string) => ['vault', id],
  environments: (id: string) => ['vault', id, 'environments'],
  secrets: (id: string) => ['vault', id, 'secrets'],
  trash: (id: string) => ['vault', id, 'trash'],
  versions: (id: string, env: string, path: string, key: string) => ['vault', id, 'versions', env, path, key],
  tokens: ['tokens'],
  scopes: ['scopes'],
  audit: (filters: object) => ['audit', filters],
} as const;
