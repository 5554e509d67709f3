import { vaultLimits } from '@hearth/protocol-types/vault/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hasCode } from '../../api/problem.js';
import { queryKeys } from '../../api/query-client.js';
import { type ImportMode, type ImportPreviewed, previewImport, runImport } from '../../api/secret-api.js';
import { Button } from '../../components/button.js';
import { EnvironmentSelect } from '../../components/environment-select.js';
import { FormDialog } from '../../components/form-dialog.js';
import { Notice } from '../../components/notice.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { toasts } from '../../lib/toasts.js';
import type { IfHere } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';
import { FolderField } from './folder-field.js';
import { folderIn, folderText } from './folders.js';
import { ImportModeChoice } from './import-mode-choice.js';
import { changesIn, ImportPreview } from './import-preview.js';
import { ImportSource } from './import-source.js';

export interface ImportDialogProps {
  readonly vaultId: string;
  readonly environments: readonly string[];
  readonly folders: readonly string[];
  /** The folder that is being looked at. */
  readonly folder: string;
  readonly text: string | undefined;
  readonly onClose: () => void;
}

/** First the text, then what it would change by name, then the change. What was pasted is not shown. */
export function ImportDialog(props: ImportDialogProps) {
  const { vaultId, environments, folders, folder, text: given = '', onClose } = props;
  const client = useQueryClient();
  const [text, setText] = useState(given);
  const [editing, setEditing] = useState(given === '');
  const [env, setEnv] = useState(environments[0] ?? '');
  const [place, setPlace] = useState(folderText(folder));
  const [path, setPath] = useState(folder);
  const [mode, setMode] = useState<ImportMode>('merge');
  const [preview, setPreview] = useState<ImportPreviewed>();
  const [looks, setLooks] = useState(0);
  const [problem, setProblem] = useState<unknown>();
  const tooLarge = new Blob([text]).size > vaultLimits.importBytes;
  const unfit = text.trim() === '' || tooLarge;
  const ready = !editing && !unfit;

  useEffect(() => {
    if (!ready) return;
    let stale = false;
    setPreview(undefined);
    setProblem(undefined);
    previewImport({ vaultId, env, path, mode, text }).then(
      (seen) => stale || setPreview(seen),
      (error: unknown) => stale || setProblem(error),
    );
    return () => {
      stale = true;
    };
  }, [ready, vaultId, env, path, mode, text, looks]);

  const changes = preview ? changesIn(preview.plan) : 0;
  const run = async (ifHere: IfHere) => {
    if (editing) return setEditing(unfit);
    // Entered and not left yet: what is written must be what was shown.
    if (folderIn(place) !== path) return setPath(folderIn(place));
    if (!preview) return;
    const { added, changed } = await runImport({ vaultId, env, path, mode, text }, preview.etag).catch(
      (error: unknown) => {
        // Somebody changed the vault meanwhile: look again, so that what is written is what was shown.
        if (hasCode(error, 'precondition_failed')) setLooks((count) => count + 1);
        throw error;
      },
    );
    toasts.show({ text: texts.import.done(env, added.length, changed.length) });
    ifHere(onClose);
    void client.invalidateQueries({ queryKey: queryKeys.vault(vaultId) });
  };
  const take = (next: string) => {
    setText(next);
    setEditing(false);
  };

  return (
    <FormDialog
      title={texts.import.title}
      shape="wide"
      submit={editing ? texts.import.preview : texts.import.run(changes)}
      disabled={editing ? unfit : changes === 0 || (preview?.plan.errors.length ?? 0) > 0}
      onClose={onClose}
      onSubmit={run}
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
      <div className="columns">
        <EnvironmentSelect
          label={texts.import.environment}
          value={env}
          environments={environments}
          onChange={setEnv}
        />
        <FolderField
          label={texts.folders.into}
          hint={undefined}
          text={place}
          folders={folders}
          onText={setPlace}
          onLeave={() => setPath(folderIn(place))}
        />
      </div>
      <ImportModeChoice mode={mode} onChange={setMode} />
      {problem !== undefined && <ProblemNotice error={problem} />}
      {ready && !preview && problem === undefined && <Skeleton rows={3} />}
      {ready && preview && <ImportPreview plan={preview.plan} />}
    </FormDialog>
  );
}
