import { useId, useState } from 'react';
import { renameEnvironment } from '../../api/vault-api.js';
import { describedBy, Field } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { toasts } from '../../lib/toasts.js';
import type { IfHere } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';

export interface RenameEnvironmentDialogProps {
  readonly vaultId: string;
  readonly slug: string;
  readonly onClose: () => void;
  readonly onRenamed: () => void;
}

const { vaults: words } = texts;

export function RenameEnvironmentDialog(props: RenameEnvironmentDialogProps) {
  const { vaultId, slug, onClose, onRenamed } = props;
  const [name, setName] = useState(slug);
  const id = useId();

  const rename = async (ifHere: IfHere) => {
    await renameEnvironment(vaultId, slug, name.trim());
    toasts.show({ text: words.environmentRenamed(name.trim()) });
    ifHere(onClose);
    onRenamed();
  };

  return (
    <FormDialog
      title={words.renameEnvironment(slug)}
      submit={words.rename}
      disabled={name.trim() === slug || name.trim() === ''}
      onClose={onClose}
      onSubmit={rename}
    >
      {(fieldProblem) => (
        <>
          <p className="soft">{words.renameEnvironmentAbout(slug)}</p>
          <Field id={id} label={words.newName} problem={fieldProblem('/slug')}>
            <input
              id={id}
              className="input input-mono"
              value={name}
              onChange={(event) => setName(event.target.value)}
              autoComplete="off"
              spellCheck={false}
              {...describedBy(id, fieldProblem('/slug'))}
            />
          </Field>
        </>
      )}
    </FormDialog>
  );
}
