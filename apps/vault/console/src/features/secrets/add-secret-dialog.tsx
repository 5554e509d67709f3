import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { queryKeys } from '../../api/query-client.js';
import { addSecret } from '../../api/secret-api.js';
import { describedBy, Field } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { toasts } from '../../lib/toasts.js';
import type { IfHere } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';
import { FolderField } from './folder-field.js';
import { folderIn, foldersOf, folderText } from './folders.js';
import { NoteAndTags } from './note-and-tags.js';
import { rowId, type SecretRow } from './secret-rows.js';
import { tagsIn } from './tags-in.js';
import { ValueField } from './value-field.js';

export interface AddSecretDialogProps {
  readonly vaultId: string;
  readonly environments: readonly string[];
  readonly rows: readonly SecretRow[];
  /** The folder that is being looked at. */
  readonly folder: string;
  readonly onClose: () => void;
}

/** A new key with one value, in one or several environments; never over something that is there. */
export function AddSecretDialog({ vaultId, environments, rows, folder, onClose }: AddSecretDialogProps) {
  const client = useQueryClient();
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(environments.slice(0, 1)));
  const [place, setPlace] = useState(folderText(folder));
  const [note, setNote] = useState('');
  const [tags, setTags] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const keyId = useId();

  const path = folderIn(place);
  const targets = environments.filter((slug) => chosen.has(slug));
  const present = rows.find(({ id }) => id === rowId(path, key.trim()));
  const taken = targets.find((slug) => present?.cells.has(slug));
  const ownKeyProblem =
    taken !== undefined
      ? texts.editor.existsIn(key.trim(), taken)
      : submitted && key.trim() === ''
        ? texts.editor.needKey
        : undefined;
  const placeProblem = submitted && targets.length === 0 ? texts.editor.needEnvironment : undefined;

  const toggle = (slug: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(slug);
    else next.delete(slug);
    setChosen(next);
  };
  const save = async (ifHere: IfHere) => {
    setSubmitted(true);
    if (key.trim() === '' || targets.length === 0 || taken !== undefined) return;
    const body = { value, note: note.trim() || null, tags: tagsIn(tags) };
    await addSecret({ vaultId, path, key: key.trim() }, targets, body);
    toasts.show({ text: texts.editor.saved(key.trim()) });
    ifHere(onClose);
    void client.invalidateQueries({ queryKey: queryKeys.vault(vaultId) });
  };

  return (
    <FormDialog title={texts.editor.addTitle} submit={texts.editor.save} onClose={onClose} onSubmit={save}>
      {(fieldProblem) => {
        const keyProblem = ownKeyProblem ?? fieldProblem('/operations/0/key');
        return (
          <>
            <Field id={keyId} label={texts.editor.key} hint={texts.editor.keyHint} problem={keyProblem}>
              <input
                id={keyId}
                className="input input-mono"
                value={key}
                onChange={(event) => setKey(event.target.value)}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                {...describedBy(keyId, keyProblem)}
              />
            </Field>
            <ValueField
              label={texts.editor.value}
              value={value}
              onChange={setValue}
              problem={fieldProblem('/operations/0/value')}
            />
            <fieldset className="stack-tight">
              <legend className="field-label">{texts.editor.environments}</legend>
              <div className="row row-wide">
                {environments.map((slug) => (
                  <label key={slug} className="check">
                    <input
                      type="checkbox"
                      checked={chosen.has(slug)}
                      onChange={(event) => toggle(slug, event.target.checked)}
                    />
                    <span>{slug}</span>
                  </label>
                ))}
              </div>
              {placeProblem && <span className="field-problem">{placeProblem}</span>}
            </fieldset>
            <FolderField
              label={texts.folders.folder}
              hint={texts.folders.newHint}
              text={place}
              folders={foldersOf(rows)}
              problem={fieldProblem('/operations/0/path') && texts.folders.badName}
              onText={setPlace}
            />
            <NoteAndTags
              note={note}
              tags={tags}
              problems={{
                note: fieldProblem('/operations/0/note'),
                tags: fieldProblem('/operations/0/tags'),
              }}
              onNote={setNote}
              onTags={setTags}
            />
          </>
        );
      }}
    </FormDialog>
  );
}
