import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { queryKeys } from '../../api/query-client.js';
import { createVault } from '../../api/vault-api.js';
import { describedBy, Field } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { toasts } from '../../lib/toasts.js';
import type { IfHere } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';

export function CreateVaultDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const id = useId();

  const create = async (ifHere: IfHere) => {
    const vault = await createVault(name);
    toasts.show({ text: texts.vaults.created(vault.name) });
    ifHere(() => {
      onClose();
      navigate(`/secrets/${vault.id}`);
    });
    void client.invalidateQueries({ queryKey: queryKeys.vaults });
  };

  return (
    <FormDialog title={texts.vaults.create} submit={texts.vaults.create} onClose={onClose} onSubmit={create}>
      {(fieldProblem) => (
        <>
          <p className="soft">{texts.vaults.createAbout}</p>
          <Field id={id} label={texts.vaults.name} problem={fieldProblem('/name')}>
            <input
              id={id}
              className="input"
              placeholder={texts.vaults.nameExample}
              value={name}
              onChange={(event) => setName(event.target.value)}
              autoComplete="off"
              {...describedBy(id, fieldProblem('/name'))}
            />
          </Field>
        </>
      )}
    </FormDialog>
  );
}
