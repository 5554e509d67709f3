import type { SecretMessage } from '@hearth/protocol-types/vault/secret';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ApiProblem, hasCode } from '../../api/problem.js';
import { queryKeys } from '../../api/query-client.js';
import { type SecretPlace, updateSecret } from '../../api/secret-api.js';
import { Button } from '../../components/button.js';
import { describedBy, Field } from '../../components/field.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { SelectField } from '../../components/select-field.js';
import { dayOf, edgeOfDay } from '../../lib/calendar-days.js';
import { toasts } from '../../lib/toasts.js';
import { texts } from '../../texts.js';
import { FolderField } from './folder-field.js';
import { folderIn, folderText } from './folders.js';
import { NoteAndTags, tagsIn } from './note-and-tags.js';
import { trashWithUndo } from './use-cell-actions.js';

export interface SecretDetailsTabProps {
  readonly place: SecretPlace;
  readonly secret: SecretMessage;
  readonly environments: readonly string[];
  readonly folders: readonly string[];
  readonly onMoved: (to: {
    readonly path: string;
    readonly key: string;
    readonly environment: string;
  }) => void;
  readonly onClose: () => void;
}

/** Name, place, note, tags and the way to the trash. */
export function SecretDetailsTab(props: SecretDetailsTabProps) {
  const { place, secret, environments, folders, onMoved, onClose } = props;
  const client = useQueryClient();
  const [key, setKey] = useState(secret.key);
  const [folder, setFolder] = useState(folderText(secret.path));
  const [environment, setEnvironment] = useState(secret.environment);
  const [note, setNote] = useState(secret.note ?? '');
  const [tags, setTags] = useState(secret.tags.join(', '));
  const [lastDay, setLastDay] = useState(secret.expires_at === null ? '' : dayOf(secret.expires_at));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const known = problem instanceof ApiProblem ? problem : undefined;
  const keyProblem = known?.fieldProblem('/key');
  const keyId = useId();

  const save = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const change = {
        note: note.trim() || null,
        tags: tagsIn(tags),
        expires_at: edgeOfDay(lastDay, 'last') || null,
        ...(key === secret.key ? {} : { key }),
        ...(folderIn(folder) === secret.path ? {} : { path: folderIn(folder) }),
        ...(environment === secret.environment ? {} : { env: environment }),
      };
      const { path } = await updateSecret(place, change, secret.version);
      await client.invalidateQueries({ queryKey: queryKeys.vault(place.vaultId) });
      onMoved({ path, key, environment });
      toasts.show({ text: texts.editor.saved(key) });
      onClose();
    } catch (error) {
      setProblem(error);
      setBusy(false);
      // A newer value does not stand against these details: once it is known, saving again will do.
      if (hasCode(error, 'precondition_failed')) {
        await client.invalidateQueries({ queryKey: queryKeys.vault(place.vaultId) });
      }
    }
  };

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
          value={key}
          onChange={(event) => setKey(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          {...describedBy(keyId, keyProblem)}
        />
      </Field>
      <div className="columns">
        <FolderField
          label={texts.folders.folder}
          hint={undefined}
          text={folder}
          folders={folders}
          problem={known?.fieldProblem('/path') && texts.folders.badName}
          onText={setFolder}
        />
        <SelectField
          label={texts.move.environment}
          value={environment}
          options={environments.map((slug) => [slug, slug])}
          onChange={setEnvironment}
        />
      </div>
      <NoteAndTags
        note={note}
        tags={tags}
        problems={{ note: known?.fieldProblem('/note'), tags: known?.fieldProblem('/tags') }}
        onNote={setNote}
        onTags={setTags}
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
          value={lastDay}
          onChange={(event) => setLastDay(event.target.value)}
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
