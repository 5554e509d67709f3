import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../api/query-client.js';
import { listSessions, revokeOtherSessions, revokeSession } from '../../api/session-api.js';
import { AttemptButton } from '../../components/attempt-button.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Icon } from '../../components/icon.js';
import { PageHead } from '../../components/page-head.js';
import { QueryView } from '../../components/query-view.js';
import { TimeText } from '../../components/time-text.js';
import { toasts } from '../../lib/toasts.js';
import { texts } from '../../texts.js';
import { deviceName } from './device-name.js';

const { settings: words } = texts;

export function SessionsPage() {
  const client = useQueryClient();
  const sessions = useQuery({ queryKey: queryKeys.sessions, queryFn: listSessions });
  const [asking, setAsking] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.sessions });

  const end = async (id: string) => {
    await revokeSession(id);
    toasts.show({ text: words.revoked });
    await refresh();
  };

  return (
    <>
      <PageHead title={words.sessionsTitle} about={words.sessionsAbout}>
        {(sessions.data?.length ?? 0) > 1 && (
          <Button icon="logout" onClick={() => setAsking(true)}>
            {words.revokeOthers}
          </Button>
        )}
      </PageHead>
      <div className="panel">
        <QueryView query={sessions} rows={3}>
          {(list) => (
            <ul className="setting-rows">
              {list.map((session) => (
                <li key={session.id}>
                  <span className="setting-what">
                    <Icon name="device" />
                    <span>
                      <strong>{deviceName(session.user_agent) ?? words.unknownDevice}</strong>{' '}
                      {session.current && <span className="badge badge-good">{words.thisSession}</span>}
                      <div className="small soft">
                        {session.ip} · {words.lastSeen} <TimeText at={session.last_seen_at} /> ·{' '}
                        {words.signedIn} <TimeText at={session.authenticated_at} />
                      </div>
                    </span>
                  </span>
                  {!session.current && (
                    <AttemptButton small work={() => end(session.id)}>
                      {words.revoke}
                      <span className="unseen">{deviceName(session.user_agent) ?? words.unknownDevice}</span>
                    </AttemptButton>
                  )}
                </li>
              ))}
            </ul>
          )}
        </QueryView>
      </div>
      {asking && (
        <ConfirmDialog
          title={words.revokeOthers}
          action={words.revokeOthers}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const { revoked } = await revokeOtherSessions();
            toasts.show({ text: words.revokedOthers(revoked) });
            void refresh();
          }}
        >
          <p>{words.revokeOthersAbout}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
