import type { VaultDetail } from '@hearth/protocol-types/vault/vault-detail';
import type { VaultSummary } from '@hearth/protocol-types/vault/vault-summary';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { queryKeys } from '../../api/query-client.js';
import { deleteVault, readVault, updateVault } from '../../api/vault-api.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Field } from '../../components/field.js';
import { PageHead } from '../../components/page-head.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { QueryView } from '../../components/query-view.js';
import { toasts } from '../../lib/toasts.js';
import { useAttempt } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';
import { EnvironmentsPanel } from './environments-panel.js';
import { WriteRulePanel } from './write-rule-panel.js';

export function VaultPage() {
  const { vaultId = '' } = useParams();
  const vault = useQuery({ queryKey: queryKeys.vault(vaultId), queryFn: () => readVault(vaultId) });
  return (
    <>
      <PageHead title={texts.vaults.manage}>
        <Link className="button" to={`/secrets/${vaultId}`}>
          {texts.trash.back}
        </Link>
      </PageHead>
      <QueryView query={vault}>{(data) => <VaultSettings key={data.id} vault={data} />}</QueryView>
    </>
  );
}

function VaultSettings({ vault }: { readonly vault: VaultDetail }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(vault.name);
  const { busy, problem, run } = useAttempt();
  const [deleting, setDeleting] = useState(false);
  const id = useId();

  const rename = () =>
    run(async () => {
      await updateVault(vault.id, { name });
      toasts.show({ text: texts.vaults.renamed });
      void client.invalidateQueries({ queryKey: queryKeys.vaults });
      void client.invalidateQueries({ queryKey: queryKeys.vault(vault.id) });
    });

  return (
    <>
      <section className="panel">
        <form
          className="panel-body"
          onSubmit={(event) => {
            event.preventDefault();
            void rename();
          }}
        >
          <Field id={id} label={texts.vaults.name}>
            <input id={id} className="input" value={name} onChange={(event) => setName(event.target.value)} />
          </Field>
          {problem !== undefined && <ProblemNotice error={problem} />}
          <div>
            <Button type="submit" busy={busy}>
              {texts.vaults.rename}
            </Button>
          </div>
        </form>
      </section>
      <EnvironmentsPanel vaultId={vault.id} />
      <WriteRulePanel vault={vault} />
      {!vault.is_personal && (
        <section className="panel">
          <div className="panel-body">
            <h2>{texts.vaults.delete}</h2>
            <p className="soft">{texts.vaults.deleteAbout}</p>
            <div>
              <Button look="danger" icon="trash" onClick={() => setDeleting(true)}>
                {texts.vaults.delete}
              </Button>
            </div>
          </div>
        </section>
      )}
      {deleting && (
        <ConfirmDialog
          title={texts.vaults.delete}
          action={texts.vaults.delete}
          typed={vault.name}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await deleteVault(vault.id);
            toasts.show({ text: texts.vaults.deleted(vault.name) });
            // The way home leads to the first of the list, which must not be this one.
            client.setQueryData<readonly VaultSummary[]>(queryKeys.vaults, (list) =>
              list?.filter(({ id: other }) => other !== vault.id),
            );
            void client.invalidateQueries({ queryKey: queryKeys.vaults });
            if (location.pathname.startsWith(`/secrets/${vault.id}`)) navigate('/secrets');
          }}
        >
          <p>{texts.vaults.deleteAbout}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
