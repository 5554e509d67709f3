import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiProblem } from '../../api/problem.js';
import { queryKeys } from '../../api/query-client.js';
import { createVault } from '../../api/vault-api.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { describedBy, Field } from '../../components/field.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { toasts } from '../../lib/toasts.js';
import { texts } from '../../texts.js';

export function CreateVaultDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const fieldProblem = problem instanceof ApiProblem ? problem.fieldProblem('/name') : undefined;
  const id = useId();

  const create = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const vault = await createVault(name);
      await client.invalidateQueries({ queryKey: queryKeys.vaults });
      onClose();
      navigate(`/secrets/${vault.id}`);
      toasts.show({ text: texts.vaults.created(vault.name) });
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={texts.vaults.create}
      onClose={onClose}
      onSubmit={() => void create()}
      footer={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" look="primary" busy={busy}>
            {texts.vaults.create}
          </Button>
        </>
      }
    >
      <p className="soft">{texts.vaults.createAbout}</p>
      <Field id={id} label={texts.vaults.name} problem={fieldProblem}>
        <input
          id={id}
          className="input"
          placeholder={texts.vaults.nameExample}
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
          {...describedBy(id, fieldProblem)}
        />
      </Field>
      {problem !== undefined && <ProblemNotice error={problem} />}
    </Dialog>
  );
}
