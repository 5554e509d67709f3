import type { TokenMessage } from '@hearth/protocol-types/vault/token';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { queryKeys } from '../../api/query-client.js';
import { readScopes, updateToken } from '../../api/token-api.js';
import { describedBy, Field } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { QueryView } from '../../components/query-view.js';
import { toasts } from '../../lib/toasts.js';
import type { IfHere } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';
import { ScopeList } from './scope-list.js';
import { changesOf, draftOf, narrowingProblemsOf } from './token-draft.js';
import { TokenLimits } from './token-limits.js';

export interface EditTokenDialogProps {
  readonly token: TokenMessage;
  readonly onClose: () => void;
  readonly onEdited: () => void;
}

const { tokens: words } = texts;

/** Another name, or fewer rights. Only what the token has can be chosen. */
export function EditTokenDialog({ token, onClose, onEdited }: EditTokenDialogProps) {
  const catalogue = useQuery({ queryKey: queryKeys.scopes, queryFn: readScopes, staleTime: Infinity });
  const [draft, setDraft] = useState(() => draftOf(token));
  const id = useId();
  const own = narrowingProblemsOf(token, draft);
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });

  const save = async (ifHere: IfHere) => {
    if (Object.keys(own).length > 0) return;
    await updateToken(token.id, changesOf(token, draft));
    toasts.show({ text: words.edited(draft.name.trim()) });
    ifHere(onClose);
    onEdited();
  };

  return (
    <FormDialog
      title={words.editTitle(token.name)}
      shape="wide"
      submit={texts.common.save}
      onClose={onClose}
      onSubmit={save}
    >
      {(fieldProblem) => {
        const nameProblem = own.name ?? fieldProblem('/name');
        const scopeProblem = own.scopes ?? fieldProblem('/scopes');
        return (
          <>
            <p className="soft">{words.editAbout}</p>
            <Field id={id} label={words.name} problem={nameProblem}>
              <input
                id={id}
                className="input"
                value={draft.name}
                onChange={(event) => change({ name: event.target.value })}
                autoComplete="off"
                {...describedBy(id, nameProblem)}
              />
            </Field>
            <QueryView query={catalogue}>
              {({ scopes }) => (
                <ScopeList
                  offered={scopes.filter(({ name }) => token.effective_scopes.includes(name))}
                  scopes={draft.scopes}
                  describedBy={`${id}-scopes`}
                  onChange={(chosen) => change({ scopes: chosen })}
                />
              )}
            </QueryView>
            <p id={`${id}-scopes`} role="status" className={scopeProblem ? 'field-problem' : 'unseen'}>
              {scopeProblem}
            </p>
            <TokenLimits
              draft={draft}
              vaultIds={token.vault_ids ?? undefined}
              renamed={token.vault_environments}
              problems={{
                vaults: own.vaults ?? fieldProblem('/vault_ids'),
                environments: own.environments ?? fieldProblem('/environments'),
                ip: own.ip ?? fieldProblem('/ip_allow'),
              }}
              onChange={change}
            />
          </>
        );
      }}
    </FormDialog>
  );
}
