import type { CurrentSession } from '@hearth/protocol-types/vault/session';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { whenSignedOut, withQuery } from '../../api/client.js';
import { hasCode } from '../../api/problem.js';
import { queryKeys } from '../../api/query-client.js';
import { readSession } from '../../api/session-api.js';
import { QueryView } from '../../components/query-view.js';
import { texts } from '../../texts.js';

const SessionContext = createContext<CurrentSession | undefined>(undefined);

/** Who is signed in; only below `RequireSession`. */
export function useSession(): CurrentSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession stands outside RequireSession');
  return session;
}

/** Lets only signed-in people through, and brings the others back to where they wanted to go. */
export function RequireSession({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const { pathname, search } = useLocation();
  const session = useQuery({ queryKey: queryKeys.session, queryFn: readSession });

  useEffect(() => {
    // Whatever was loaded belongs to the person who is gone.
    whenSignedOut(() => {
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== queryKeys.session[0] });
      void client.invalidateQueries({ queryKey: queryKeys.session });
    });
    return () => whenSignedOut(() => undefined);
  }, [client]);

  if (hasCode(session.error, 'unauthenticated')) {
    return (
      <Navigate
        replace
        to={withQuery('/signin', { return_to: pathname === '/' ? undefined : pathname + search })}
      />
    );
  }
  return (
    <QueryView query={session} waiting={<Opening />}>
      {(data) => <SessionContext value={data}>{children}</SessionContext>}
    </QueryView>
  );
}

/** While it is not known who is there, there is no page to draw. */
function Opening() {
  return (
    <div className="opening" role="status" aria-label={texts.common.loading}>
      <img src="/hearth.svg" width="40" height="40" alt="" />
    </div>
  );
}
