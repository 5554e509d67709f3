import type { ImportResponse } from '@hearth/protocol-types/vault/import';
import { vaultLimits } from '@hearth/protocol-types/vault/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { queryKeys } from '../../api/query-client.js';
import { type ImportMode, importSecrets } from '../../api/secret-api.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { Field } from '../../components/field.js';
import { Notice } from '../../components/notice.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { toasts } from '../../lib/toasts.js';
import { texts } from '../../texts.js';
import { changesIn, ImportPreview } from './import-preview.js';
import { ImportSource } from './import-source.js';

export interface ImportDialogProps {
  readonly vaultId: string;
  readonly environments: readonly string[];
  readonly text: string | undefined;
  readonly onClose: () => void;
}

const modes: readonly ImportMode[] = ['merge', 'skip', 'replace'];

/** First the text, then what it would change by name, then the change. What was pasted is not shown. */
export function ImportDialog({ vaultId, environments, text: given = '', onClose }: ImportDialogProps) {
  const client = useQueryClient();
  const [text, setText] = useState(given);
  const [editing, setEditing] = useState(given === '');
  const [env, setEnv] = useState(environments[0] ?? '');
  const [mode, setMode] = useState<ImportMode>('merge');
  const [preview, setPreview] = useState<ImportResponse>();
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const id = useId();
  const tooLarge = new Blob([text]).size > vaultLimits.importBytes;
  const ready = !editing && text.trim() !== '' && !tooLarge;

  useEffect(() => {
    if (!ready) return;
    let stale = false;
    setPreview(undefined);
    setProblem(undefined);
    importSecrets({ vaultId, env, mode, text, dryRun: true }).then(
      (plan) => stale || setPreview(plan),
      (error: unknown) => stale || setProblem(error),
    );
    return () => {
      stale = true;
    };
  }, [ready, vaultId, env, mode, text]);

  const changes = preview ? changesIn(preview) : 0;
  const run = async () => {
    if (editing) return setEditing(text.trim() === '' || tooLarge);
    if (busy || changes === 0) return;
    setBusy(true);
    try {
      const { added, changed } = await importSecrets({ vaultId, env, mode, text, dryRun: false });
      toasts.show({ text: texts.import.done(env, added.length, changed.length) });
      onClose();
      await client.invalidateQueries({ queryKey: queryKeys.vault(vaultId) });
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };
  const take = (next: string) => {
    setText(next);
    setEditing(false);
  };

  return (
    <Dialog
      title={texts.import.title}
      shape="wide"
      onClose={onClose}
      onSubmit={() => void run()}
      footer={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          {editing ? (
            <Button type="submit" look="primary" disabled={text.trim() === '' || tooLarge}>
              {texts.import.preview}
            </Button>
          ) : (
            <Button
              type="submit"
              look="primary"
              busy={busy}
              disabled={changes === 0 || (preview?.errors.length ?? 0) > 0}
            >
              {texts.import.run(changes)}
            </Button>
          )}
        </>
      }
    >
      {editing ? (
        <ImportSource text={text} onText={setText} onFile={take} />
      ) : (
        <div className="spread">
          <span>{texts.import.received(text.trimEnd().split('\n').length)}</span>
          <Button small icon="pencil" onClick={() => setEditing(true)}>
            {texts.import.changeText}
          </Button>
        </div>
      )}
      {tooLarge && <Notice kind="bad" title={texts.import.tooLarge} live />}
      <Field id={`${id}-env`} label={texts.import.environment}>
        <select
          id={`${id}-env`}
          className="input"
          value={env}
          onChange={(event) => setEnv(event.target.value)}
        >
          {environments.map((slug) => (
            <option key={slug}>{slug}</option>
          ))}
        </select>
      </Field>
      <fieldset className="stack-tight">
        <legend className="field-label">{texts.import.mode}</legend>
        <div className="choice-cards">
          {modes.map((name) => (
            <label key={name} className="choice-card check">
              <input type="radio" name={id} checked={mode === name} onChange={() => setMode(name)} />
              <span className="check-text">
                {texts.import.modes[name][0]}
                <small>{texts.import.modes[name][1]}</small>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {problem !== undefined && <ProblemNotice error={problem} />}
      {ready && !preview && problem === undefined && <Skeleton rows={3} />}
      {ready && preview && <ImportPreview plan={preview} />}
    </Dialog>
  );
}
