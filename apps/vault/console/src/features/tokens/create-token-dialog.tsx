import type { CreatedTokenMessage } from '@hearth/protocol-types/vault/token';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { queryKeys } from '../../api/query-client.js';
import { createToken, readScopes } from '../../api/token-api.js';
import { describedBy, Field } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { QueryView } from '../../components/query-view.js';
import type { IfHere } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';
import { SignInAgain } from '../sign-in/sign-in-again.js';
import { useFreshSession } from '../sign-in/use-fresh-session.js';
import { ExpiryChoice } from './expiry-choice.js';
import { ScopeChoice } from './scope-choice.js';
import { emptyTokenDraft, problemsOf, requestOf } from './token-draft.js';
import { TokenLimits } from './token-limits.js';

export interface CreateTokenDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (token: CreatedTokenMessage) => void;
}

const { tokenForm: words } = texts;

export function CreateTokenDialog({ onClose, onCreated }: CreateTokenDialogProps) {
  const fresh = useFreshSession();
  const catalogue = useQuery({ queryKey: queryKeys.scopes, queryFn: readScopes, staleTime: Infinity });
  const [draft, setDraft] = useState(emptyTokenDraft);
  const [submitted, setSubmitted] = useState(false);
  const nameId = useId();
  const missing = problemsOf(draft);
  const own = submitted ? missing : {};
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });

  const create = async (ifHere: IfHere) => {
    setSubmitted(true);
    if (Object.keys(missing).length > 0) return;
    const token = await createToken(requestOf(draft));
    ifHere(onClose);
    onCreated(token);
  };

  return (
    <FormDialog
      title={words.title}
      shape="wide"
      submit={words.submit}
      disabled={!fresh}
      onClose={onClose}
      onSubmit={create}
    >
      {(fieldProblem) => {
        const nameProblem = own.name ?? fieldProblem('/name');
        return (
          <>
            {!fresh && <SignInAgain />}
            <Field id={nameId} label={words.name} hint={words.nameHint} problem={nameProblem}>
              <input
                id={nameId}
                className="input"
                value={draft.name}
                onChange={(event) => change({ name: event.target.value })}
                autoComplete="off"
                {...describedBy(nameId, nameProblem)}
              />
            </Field>
            <QueryView query={catalogue}>
              {(data) => (
                <ScopeChoice
                  catalogue={data}
                  scopes={draft.scopes}
                  problem={own.scopes ?? fieldProblem('/scopes')}
                  onChange={(scopes) => change({ scopes })}
                />
              )}
            </QueryView>
            <ExpiryChoice
              days={draft.expiresInDays}
              onChange={(expiresInDays) => change({ expiresInDays })}
            />
            <TokenLimits
              draft={draft}
              problems={{
                vaults: own.vaults ?? fieldProblem('/vault_ids'),
                environments: fieldProblem('/environments'),
                ip: fieldProblem('/ip_allow'),
              }}
              onChange={change}
            />
          </>
        );
      }}
    </FormDialog>
  );
}
