import type { CreatedTokenMessage } from '@hearth/protocol-types/vault/token';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ApiProblem } from '../../api/problem.js';
import { queryKeys } from '../../api/query-client.js';
import { createToken, readScopes } from '../../api/token-api.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { describedBy, Field } from '../../components/field.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { QueryView } from '../../components/query-view.js';
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
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const nameId = useId();
  const own = problemsOf(draft);
  const known = problem instanceof ApiProblem ? problem : undefined;
  const fromServer = (field: string) => known?.fieldProblem(`/${field}`);
  const nameProblem = (submitted ? own.name : undefined) ?? fromServer('name');
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });

  const create = async () => {
    setSubmitted(true);
    if (busy || Object.keys(own).length > 0) return;
    setBusy(true);
    setProblem(undefined);
    try {
      onCreated(await createToken(requestOf(draft)));
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={words.title}
      shape="wide"
      onClose={onClose}
      onSubmit={() => void create()}
      footer={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" look="primary" busy={busy} disabled={!fresh}>
            {words.submit}
          </Button>
        </>
      }
    >
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
            problem={(submitted ? own.scopes : undefined) ?? fromServer('scopes')}
            onChange={(scopes) => change({ scopes })}
          />
        )}
      </QueryView>
      <ExpiryChoice days={draft.expiresInDays} onChange={(expiresInDays) => change({ expiresInDays })} />
      <TokenLimits
        draft={draft}
        problems={{
          vaults: (submitted ? own.vaults : undefined) ?? fromServer('vault_ids'),
          environments: fromServer('environments'),
          ip: fromServer('ip_allow'),
        }}
        onChange={change}
      />
      {problem !== undefined && <ProblemNotice error={problem} />}
    </Dialog>
  );
}
