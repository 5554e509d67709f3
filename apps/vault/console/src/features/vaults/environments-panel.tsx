import type { EnvironmentMessage } from '@hearth/protocol-types/vault/environment';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ApiProblem } from '../../api/problem.js';
import { queryKeys } from '../../api/query-client.js';
import { createEnvironment, deleteEnvironment, listEnvironments } from '../../api/vault-api.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { describedBy, Field } from '../../components/field.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { QueryView } from '../../components/query-view.js';
import { toasts } from '../../lib/toasts.js';
import { useAttempt } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';
import { RenameEnvironmentDialog } from './rename-environment-dialog.js';

/** The columns of the grid. */
export function EnvironmentsPanel({ vaultId }: { readonly vaultId: string }) {
  const client = useQueryClient();
  const environments = useQuery({
    queryKey: queryKeys.environments(vaultId),
    queryFn: () => listEnvironments(vaultId),
  });
  const [slug, setSlug] = useState('');
  const { busy, problem, run } = useAttempt();
  const [removing, setRemoving] = useState<EnvironmentMessage>();
  const [renaming, setRenaming] = useState<string>();
  const id = useId();
  const fieldProblem = problem instanceof ApiProblem ? problem.fieldProblem('/slug') : undefined;
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.vault(vaultId) });

  const add = () =>
    run(async () => {
      await createEnvironment(vaultId, slug);
      toasts.show({ text: texts.vaults.environmentAdded(slug) });
      setSlug('');
      void refresh();
    });

  return (
    <section className="panel">
      <div className="panel-body">
        <div>
          <h2>{texts.vaults.environments}</h2>
          <p className="soft">{texts.vaults.environmentsAbout}</p>
        </div>
        <form
          className="row row-bottom"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <Field id={id} label={texts.vaults.newEnvironment} problem={fieldProblem}>
            <input
              id={id}
              className="input input-mono"
              value={slug}
              onChange={(event) => setSlug(event.target.value)}
              autoComplete="off"
              {...describedBy(id, fieldProblem)}
            />
          </Field>
          <Button type="submit" icon="plus" busy={busy}>
            {texts.vaults.addEnvironment}
          </Button>
        </form>
        {problem !== undefined && fieldProblem === undefined && <ProblemNotice error={problem} />}
      </div>
      <QueryView query={environments} rows={3}>
        {(list) => (
          <ul className="setting-rows">
            {list.map((environment, place) => (
              <li key={place}>
                <span>
                  <strong className="mono">{environment.slug}</strong>{' '}
                  <span className="soft">{texts.vaults.holds(environment.secret_count)}</span>
                </span>
                <span className="row">
                  <Button small icon="pencil" look="quiet" onClick={() => setRenaming(environment.slug)}>
                    {texts.vaults.renameEnvironment(environment.slug)}
                  </Button>
                  <Button small icon="trash" look="quiet" onClick={() => setRemoving(environment)}>
                    {texts.vaults.removeEnvironment(environment.slug)}
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {renaming !== undefined && (
        <RenameEnvironmentDialog
          vaultId={vaultId}
          slug={renaming}
          onClose={() => setRenaming(undefined)}
          onRenamed={() => {
            // The list that was loaded before has the old name in it: the grid would show gaps until it comes anew.
            client.removeQueries({ queryKey: queryKeys.secrets(vaultId) });
            // Tokens that are limited to it have followed.
            void client.invalidateQueries({ queryKey: queryKeys.tokens });
            void refresh();
          }}
        />
      )}
      {removing && (
        <ConfirmDialog
          title={texts.vaults.removeEnvironment(removing.slug)}
          action={texts.vaults.removeEnvironment(removing.slug)}
          {...(removing.secret_count > 0 ? { typed: removing.slug } : {})}
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            await deleteEnvironment(vaultId, removing.slug, removing.secret_count > 0);
            toasts.show({ text: texts.vaults.environmentDeleted(removing.slug) });
            void refresh();
          }}
        >
          <p>{texts.vaults.removeEnvironmentAbout(removing.slug, removing.secret_count)}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
