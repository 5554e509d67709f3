import { useState } from 'react';
import { type ExportFormat, exportSecrets } from '../../api/secret-api.js';
import { EnvironmentSelect } from '../../components/environment-select.js';
import { FormDialog } from '../../components/form-dialog.js';
import { Notice } from '../../components/notice.js';
import { SelectField } from '../../components/select-field.js';
import { downloadBlob } from '../../lib/download.js';
import { toasts } from '../../lib/toasts.js';
import type { IfHere } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';
import { SignInAgain } from '../sign-in/sign-in-again.js';
import { useFreshSession } from '../sign-in/use-fresh-session.js';
import { folderText, topFolder } from './folders.js';

export interface ExportDialogProps {
  readonly vaultId: string;
  readonly environments: readonly string[];
  readonly folders: readonly string[];
  /** The folder that is being looked at. */
  readonly folder: string;
  readonly onClose: () => void;
}

const endings: Readonly<Record<ExportFormat, string>> = {
  dotenv: 'env',
  shell: 'sh',
  docker: 'docker.env',
  json: 'json',
  yaml: 'yaml',
};
const formats = Object.entries(texts.export.formats) as [ExportFormat, string][];

export function ExportDialog({ vaultId, environments, folders, folder, onClose }: ExportDialogProps) {
  const fresh = useFreshSession();
  const [env, setEnv] = useState(environments[0] ?? '');
  const [path, setPath] = useState(folders.includes(folder) ? folder : topFolder);
  const [format, setFormat] = useState<ExportFormat>('dotenv');

  const run = async (ifHere: IfHere) => {
    const file = [...folderText(path).split('/'), env].filter(Boolean).join('-');
    downloadBlob(await exportSecrets({ vaultId, env, path, format }), `${file}.${endings[format]}`);
    toasts.show({ text: texts.export.done(env) });
    ifHere(onClose);
  };

  return (
    <FormDialog
      title={texts.export.title}
      submit={texts.export.run}
      icon="download"
      disabled={!fresh}
      onClose={onClose}
      onSubmit={run}
    >
      {fresh ? (
        <Notice kind="warn">
          <p>{texts.export.about}</p>
        </Notice>
      ) : (
        <SignInAgain />
      )}
      <EnvironmentSelect
        label={texts.export.environment}
        value={env}
        environments={environments}
        onChange={setEnv}
      />
      {folders.length > 1 && (
        <SelectField
          label={texts.folders.folder}
          hint={texts.folders.exportHint}
          value={path}
          options={folders.map((one) => [one, one === topFolder ? texts.folders.none : folderText(one)])}
          onChange={setPath}
        />
      )}
      <SelectField label={texts.export.format} value={format} options={formats} onChange={setFormat} />
    </FormDialog>
  );
}
