import type { SecretMessage } from '@hearth/protocol-types/vault/secret';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ApiProblem } from '../../api/problem.js';
import { queryKeys } from '../../api/query-client.js';
import { type SecretPlace, updateSecret } from '../../api/secret-api.js';
import { Button } from '../../components/button.js';
import { EnvironmentSelect } from '../../components/environment-select.js';
import { describedBy, Field } from '../../components/field.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { toasts } from '../../lib/toasts.js';
import { useAttempt } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';
import { type DetailsDraft, detailsChangeOf, detailsDraftOf } from './details-draft.js';
import { FolderField } from './folder-field.js';
import { NoteAndTags } from './note-and-tags.js';
import { trashWithUndo } from './use-cell-actions.js';

export interface SecretDetailsTabProps {
  readonly place: SecretPlace;
  readonly secret: SecretMessage;
  readonly environments: readonly string[];
  readonly folders: readonly string[];
  readonly onClose: () => void;
}

/** Name, place, note, tags and the way to the trash. */
export function SecretDetailsTab(props: SecretDetailsTabProps) {
  const { place, secret, environments, folders, onClose } = props;
  const client = useQueryClient();
  // As it was opened. What others change meanwhile must not look like a change made here.
  const [opened] = useState(() => detailsDraftOf(secret));
  const [draft, setDraft] = useState(opened);
  const set = (part: Partial<DetailsDraft>) => setDraft({ ...draft, ...part });
  const { busy, problem, run } = useAttempt();
  const known = problem instanceof ApiProblem ? problem : undefined;
  const keyProblem = known?.fieldProblem('/key');
  const keyId = useId();

  const save = () =>
    run(async (ifHere) => {
      const change = detailsChangeOf(opened, draft);
      if (Object.keys(change).length > 0) {
        // A newer value does not stand against these details: refused once, the list has it, and saving again will do.
        await updateSecret(place, change, secret.version);
        toasts.show({ text: texts.editor.saved(change.key ?? place.key) });
        void client.invalidateQueries({ queryKey: queryKeys.vault(place.vaultId) });
      }
      ifHere(onClose);
    });

  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field id={keyId} label={texts.editor.key} hint={texts.editor.renameHint} problem={keyProblem}>
        <input
          id={keyId}
          className="input input-mono"
          value={draft.key}
          onChange={(event) => set({ key: event.target.value })}
          autoComplete="off"
          spellCheck={false}
          {...describedBy(keyId, keyProblem)}
        />
      </Field>
      <div className="columns">
        <FolderField
          label={texts.folders.folder}
          hint={undefined}
          text={draft.folder}
          folders={folders}
          problem={known?.fieldProblem('/path') && texts.folders.badName}
          onText={(folder) => set({ folder })}
        />
        <EnvironmentSelect
          label={texts.move.environment}
          value={draft.environment}
          environments={environments}
          onChange={(environment) => set({ environment })}
        />
      </div>
      <NoteAndTags
        note={draft.note}
        tags={draft.tags}
        problems={{ note: known?.fieldProblem('/note'), tags: known?.fieldProblem('/tags') }}
        onNote={(note) => set({ note })}
        onTags={(tags) => set({ tags })}
      />
      <Field
        id={`${keyId}-expiry`}
        label={texts.editor.lastDay}
        hint={texts.editor.lastDayHint}
        problem={known?.fieldProblem('/expires_at')}
      >
        <input
          id={`${keyId}-expiry`}
          type="date"
          className="input"
          value={draft.lastDay}
          onChange={(event) => set({ lastDay: event.target.value })}
          {...describedBy(`${keyId}-expiry`, known?.fieldProblem('/expires_at'))}
        />
      </Field>
      {problem !== undefined && <ProblemNotice error={problem} />}
      <div className="spread">
        <Button
          icon="trash"
          onClick={() => {
            onClose();
            void trashWithUndo(client, place, secret.version);
          }}
        >
          {texts.editor.delete}
        </Button>
        <Button type="submit" look="primary" busy={busy}>
          {texts.editor.save}
        </Button>
      </div>
    </form>
  );
}
