import type { IdentityMessage } from '@hearth/protocol-types/vault/identity';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { queryKeys } from '../../api/query-client.js';
import { listIdentities, listProviders, unlinkIdentity } from '../../api/session-api.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Notice } from '../../components/notice.js';
import { PageHead } from '../../components/page-head.js';
import { QueryView } from '../../components/query-view.js';
import { TimeText } from '../../components/time-text.js';
import { toasts } from '../../lib/toasts.js';
import { texts } from '../../texts.js';
import { ProviderMark } from '../sign-in/provider-mark.js';
import { SignInAgain } from '../sign-in/sign-in-again.js';
import { useFreshSession } from '../sign-in/use-fresh-session.js';

const { settings: words } = texts;

export function LoginsPage() {
  const client = useQueryClient();
  const fresh = useFreshSession();
  const [query] = useSearchParams();
  const identities = useQuery({ queryKey: queryKeys.identities, queryFn: listIdentities });
  const providers = useQuery({ queryKey: queryKeys.providers, queryFn: listProviders }).data ?? [];
  const [removing, setRemoving] = useState<IdentityMessage>();
  const problem = texts.signIn.problems[query.get('e') ?? ''];

  return (
    <>
      <PageHead title={words.loginsTitle} about={words.loginsAbout}>
        {fresh &&
          providers.map(({ name, link_path }) => (
            <a key={name} className="button" href={link_path}>
              <ProviderMark name={name} />
              {words.link(words.provider[name])}
            </a>
          ))}
      </PageHead>
      {problem && (
        <Notice kind="bad" title={problem[0]} live>
          <p>{problem[1]}</p>
        </Notice>
      )}
      {!fresh && <SignInAgain />}
      <div className="panel">
        <QueryView query={identities} rows={2}>
          {(list) => (
            <ul className="setting-rows">
              {list.map((identity) => (
                <li key={identity.id}>
                  <span className="setting-what">
                    <ProviderMark name={identity.provider} />
                    <span>
                      <strong>{identity.username ?? words.provider[identity.provider]}</strong>{' '}
                      {identity.current && <span className="badge badge-good">{words.thisLogin}</span>}
                      <div className="small soft">
                        {words.provider[identity.provider]}
                        {identity.last_login_at && (
                          <>
                            {' · '}
                            {words.lastLogin} <TimeText at={identity.last_login_at} />
                          </>
                        )}
                      </div>
                    </span>
                  </span>
                  {list.length > 1 && (
                    <Button small disabled={!fresh} onClick={() => setRemoving(identity)}>
                      {words.unlink}
                      <span className="unseen">{identity.username ?? words.provider[identity.provider]}</span>
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )}
        </QueryView>
      </div>
      {removing && (
        <ConfirmDialog
          title={words.unlinkTitle(removing.username ?? words.provider[removing.provider])}
          action={words.unlink}
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            await unlinkIdentity(removing.id);
            toasts.show({ text: words.unlinked });
            void client.invalidateQueries({ queryKey: queryKeys.identities });
          }}
        >
          <p>{words.unlinkAbout}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
