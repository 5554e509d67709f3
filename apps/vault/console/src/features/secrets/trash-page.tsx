import type { SecretMessage } from '@hearth/protocol-types/vault/secret';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { queryKeys } from '../../api/query-client.js';
import { destroySecret, listTrash, restoreSecret } from '../../api/secret-api.js';
import { AttemptButton } from '../../components/attempt-button.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHead } from '../../components/page-head.js';
import { QueryView } from '../../components/query-view.js';
import { TimeText } from '../../components/time-text.js';
import { toasts } from '../../lib/toasts.js';
import { texts } from '../../texts.js';
import { topFolder } from './folders.js';

export function TrashPage() {
  const { vaultId = '' } = useParams();
  const client = useQueryClient();
  const trash = useQuery({ queryKey: queryKeys.trash(vaultId), queryFn: () => listTrash(vaultId) });
  const [destroying, setDestroying] = useState<SecretMessage>();
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.vault(vaultId) });
  const placeOf = ({ key, path, environment }: SecretMessage) => ({ vaultId, key, path, env: environment });

  const restore = async (secret: SecretMessage) => {
    await restoreSecret(placeOf(secret));
    toasts.show({ text: texts.editor.restored(secret.key) });
    await refresh();
  };

  return (
    <>
      <PageHead title={texts.trash.title} about={texts.trash.about}>
        <Link className="button" to={`/secrets/${vaultId}`}>
          {texts.trash.back}
        </Link>
      </PageHead>
      <div className="panel">
        <QueryView query={trash}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState icon="trash" title={texts.trash.empty}>
                <p>{texts.trash.emptyAbout}</p>
              </EmptyState>
            ) : (
              <table className="table table-cards" aria-label={texts.trash.title}>
                <thead>
                  <tr>
                    <th scope="col">{texts.secrets.key}</th>
                    <th scope="col">{texts.trash.environment}</th>
                    <th scope="col">{texts.trash.deleted}</th>
                    <th scope="col">
                      <span className="unseen">{texts.common.actions}</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {list.map((secret) => (
                    <tr key={secret.id}>
                      <th scope="row" className="mono">
                        {secret.path !== topFolder && <span className="soft">{secret.path.slice(1)}</span>}
                        {secret.key}
                      </th>
                      <td data-label={texts.trash.environment}>{secret.environment}</td>
                      <td data-label={texts.trash.deleted}>
                        <TimeText at={secret.deleted_at ?? secret.updated_at} />
                      </td>
                      <td className="row-actions">
                        <AttemptButton small icon="undo" work={() => restore(secret)}>
                          {texts.trash.restore}
                        </AttemptButton>{' '}
                        <Button small look="quiet" onClick={() => setDestroying(secret)}>
                          {texts.trash.destroy}
                        </Button>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </QueryView>
      </div>
      {destroying && (
        <ConfirmDialog
          title={texts.trash.destroyTitle(destroying.key)}
          action={texts.trash.destroy}
          typed={destroying.key}
          onClose={() => setDestroying(undefined)}
          onConfirm={async () => {
            await destroySecret(placeOf(destroying));
            toasts.show({ text: texts.trash.destroyed(destroying.key) });
            void refresh();
          }}
        >
          <p>{texts.trash.destroyAbout}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
