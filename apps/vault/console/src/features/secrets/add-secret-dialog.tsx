import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ApiProblem } from '../../api/problem.js';
import { queryKeys } from '../../api/query-client.js';
import { addSecret } from '../../api/secret-api.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { describedBy, Field } from '../../components/field.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { toasts } from '../../lib/toasts.js';
import { texts } from '../../texts.js';
import { NoteAndTags, tagsIn } from './note-and-tags.js';
import { rowId, type SecretRow } from './secret-rows.js';
import { ValueField } from './value-field.js';

export interface AddSecretDialogProps {
  readonly vaultId: string;
  readonly environments: readonly string[];
  readonly rows: readonly SecretRow[];
  readonly onClose: () => void;
}

/** A new key with one value, in one or several environments; never over something that is there. */
export function AddSecretDialog({ vaultId, environments, rows, onClose }: AddSecretDialogProps) {
  const client = useQueryClient();
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(environments.slice(0, 1)));
  const [note, setNote] = useState('');
  const [tags, setTags] = useState('');
  const [busy, setBusy] = useState(false);
  const [submitted, setSubmitted] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const keyId = useId();

  const targets = environments.filter((slug) => chosen.has(slug));
  const present = rows.find(({ id }) => id === rowId('/', key.trim()));
  const taken = targets.find((slug) => present?.cells.has(slug));
  const known = problem instanceof ApiProblem ? problem : undefined;
  const keyProblem =
    taken !== undefined
      ? texts.editor.existsIn(key.trim(), taken)
      : submitted && key.trim() === ''
        ? texts.editor.needKey
        : known?.fieldProblem('/operations/0/key');
  const placeProblem = submitted && targets.length === 0 ? texts.editor.needEnvironment : undefined;

  const toggle = (slug: string, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(slug);
    else next.delete(slug);
    setChosen(next);
  };
  const save = async () => {
    setSubmitted(true);
    if (busy || key.trim() === '' || targets.length === 0 || taken !== undefined) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const body = { value, note: note.trim() || null, tags: tagsIn(tags) };
      await addSecret({ vaultId, path: '/', key: key.trim() }, targets, body);
      toasts.show({ text: texts.editor.saved(key.trim()) });
      onClose();
      await client.invalidateQueries({ queryKey: queryKeys.vault(vaultId) });
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={texts.editor.addTitle}
      onClose={onClose}
      onSubmit={() => void save()}
      footer={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" look="primary" busy={busy}>
            {texts.editor.save}
          </Button>
        </>
      }
    >
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
      <ValueField label={texts.editor.value} value={value} onChange={setValue} />
      <fieldset className="stack-tight">
        <legend className="field-label">{texts.editor.environments}</legend>
        <div className="row">
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
      <NoteAndTags note={note} tags={tags} problem={known} onNote={setNote} onTags={setTags} />
      {problem !== undefined && <ProblemNotice error={problem} />}
    </Dialog>
  );
}
