import type { SecretMessage } from '@hearth/protocol-types/vault/secret';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, hasCode } from '../../api/problem.js';
import { queryKeys } from '../../api/query-client.js';
import { readSecret, type SecretPlace, writeSecret } from '../../api/secret-api.js';
import { Button } from '../../components/button.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { TimeText } from '../../components/time-text.js';
import { toasts } from '../../lib/toasts.js';
import { useAttempt } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';
import { ConflictNotice } from './conflict-notice.js';
import { CurrentValue } from './current-value.js';
import { ValueField } from './value-field.js';

export interface SecretValueTabProps {
  readonly place: SecretPlace;
  readonly secret: SecretMessage | undefined;
  readonly onClose: () => void;
}

/** The value that is stored, unseen until asked for, and a new one over just that version. */
export function SecretValueTab({ place, secret, onClose }: SecretValueTabProps) {
  const client = useQueryClient();
  // The version that was there when this was opened. A later one in the list must not quietly become our base.
  const [base, setBase] = useState(secret?.version ?? 0);
  const [value, setValue] = useState('');
  const { busy, problem, run } = useAttempt();
  const known = problem instanceof ApiProblem ? problem : undefined;
  const conflict = hasCode(problem, 'precondition_failed') ? problem : undefined;

  const save = (version: number) =>
    run(async (ifHere) => {
      const { changed } = await writeSecret(place, { value }, version);
      toasts.show({ text: changed ? texts.editor.saved(place.key) : texts.editor.unchanged(place.key) });
      setValue('');
      ifHere(onClose);
      void client.invalidateQueries({ queryKey: queryKeys.vault(place.vaultId) });
    });
  const loadCurrent = () =>
    run(async () => {
      const current = await readSecret(place);
      setBase(current.version);
      setValue(current.value);
    });

  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save(base);
      }}
    >
      {secret ? (
        <section className="stack-tight">
          <div className="spread">
            <h3>{texts.editor.version(secret.version)}</h3>
            <span className="small soft">
              <TimeText at={secret.updated_at} />
            </span>
          </div>
          <CurrentValue key={secret.version} place={place} />
        </section>
      ) : (
        <p className="soft">{texts.editor.missing(place.env)}</p>
      )}
      <ValueField
        label={secret ? texts.editor.newValue : texts.editor.value}
        value={value}
        onChange={setValue}
        problem={known?.fieldProblem('/value')}
        onLoadCurrent={secret ? () => void loadCurrent() : undefined}
      />
      {conflict ? (
        <ConflictNotice
          place={place}
          mine={value}
          currentVersion={conflict.currentVersion}
          onOverwrite={(version) => void save(version)}
          onDiscard={onClose}
        />
      ) : (
        problem !== undefined && <ProblemNotice error={problem} />
      )}
      <div className="row row-end">
        <Button type="submit" look="primary" busy={busy} disabled={conflict !== undefined}>
          {secret ? texts.editor.saveValue : texts.editor.save}
        </Button>
      </div>
    </form>
  );
}
