import { useId, useState } from 'react';
import { type ExportFormat, exportSecrets } from '../../api/secret-api.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { Field } from '../../components/field.js';
import { Notice } from '../../components/notice.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { downloadBlob } from '../../lib/download.js';
import { toasts } from '../../lib/toasts.js';
import { texts } from '../../texts.js';
import { SignInAgain } from '../sign-in/sign-in-again.js';
import { useFreshSession } from '../sign-in/use-fresh-session.js';

export interface ExportDialogProps {
  readonly vaultId: string;
  readonly environments: readonly string[];
  readonly onClose: () => void;
}

const endings: Readonly<Record<ExportFormat, string>> = {
  dotenv: 'env',
  shell: 'sh',
  docker: 'docker.env',
  json: 'json',
  yaml: 'yaml',
};

export function ExportDialog({ vaultId, environments, onClose }: ExportDialogProps) {
  const fresh = useFreshSession();
  const [env, setEnv] = useState(environments[0] ?? '');
  const [format, setFormat] = useState<ExportFormat>('dotenv');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const id = useId();

  const run = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      downloadBlob(await exportSecrets(vaultId, env, format), `${env}.${endings[format]}`);
      toasts.show({ text: texts.export.done(env) });
      onClose();
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={texts.export.title}
      onClose={onClose}
      onSubmit={() => void run()}
      footer={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" look="primary" icon="download" busy={busy} disabled={!fresh}>
            {texts.export.run}
          </Button>
        </>
      }
    >
      {fresh ? (
        <Notice kind="warn">
          <p>{texts.export.about}</p>
        </Notice>
      ) : (
        <SignInAgain />
      )}
      <Field id={`${id}-env`} label={texts.export.environment}>
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
      <Field id={`${id}-format`} label={texts.export.format}>
        <select
          id={`${id}-format`}
          className="input"
          value={format}
          onChange={(event) => setFormat(event.target.value as ExportFormat)}
        >
          {Object.entries(texts.export.formats).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </Field>
      {problem !== undefined && <ProblemNotice error={problem} />}
    </Dialog>
  );
}
