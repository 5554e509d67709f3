import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiProblem, hasCode } from '../../api/problem.js';
import { queryKeys } from '../../api/query-client.js';
import { moveSecrets } from '../../api/secret-api.js';
import { FormDialog } from '../../components/form-dialog.js';
import { Notice } from '../../components/notice.js';
import { SelectField } from '../../components/select-field.js';
import { toasts } from '../../lib/toasts.js';
import { texts } from '../../texts.js';
import { FolderField } from './folder-field.js';
import { planMove, sharedFolder } from './move-plan.js';
import type { SecretRow } from './secret-rows.js';

export interface MoveDialogProps {
  readonly vaultId: string;
  readonly environments: readonly string[];
  readonly folders: readonly string[];
  /** The keys that are marked. */
  readonly rows: readonly SecretRow[];
  readonly onClose: () => void;
  readonly onMoved: () => void;
}

const { move: words } = texts;

/** Keys to another folder or environment, with all their versions: all of them or none. */
export function MoveDialog({ vaultId, environments, folders, rows, onClose, onMoved }: MoveDialogProps) {
  const client = useQueryClient();
  const shared = sharedFolder(rows);
  const [from, setFrom] = useState('');
  const [env, setEnv] = useState('');
  const [folder, setFolder] = useState(shared ?? '');
  const [inTheWay, setInTheWay] = useState<readonly string[]>([]);
  const { secrets, to } = planMove(rows, { from, env, folder });

  const run = async () => {
    setInTheWay([]);
    try {
      await moveSecrets(vaultId, secrets, to);
    } catch (error) {
      if (hasCode(error, 'key_taken')) setInTheWay(namesIn(error));
      await client.invalidateQueries({ queryKey: queryKeys.vault(vaultId) });
      throw error;
    }
    toasts.show({ text: words.moved(secrets.length) });
    onMoved();
    await client.invalidateQueries({ queryKey: queryKeys.vault(vaultId) });
  };
  /** The vault names what it found by its place in the list that was sent. */
  const namesIn = (problem: ApiProblem): string[] =>
    [...problem.fields.keys()].flatMap((pointer) => {
      const secret = secrets[Number(/^\/secrets\/(\d+)$/.exec(pointer)?.[1])];
      return secret ? [words.inTheWay(secret.key, to.env ?? secret.environment)] : [];
    });

  return (
    <FormDialog
      title={words.title(rows.length)}
      submit={words.run(secrets.length)}
      disabled={secrets.length === 0}
      onClose={onClose}
      onSubmit={run}
    >
      {(fieldProblem) => (
        <>
          <p className="soft">{words.about}</p>
          <div className="columns">
            <SelectField
              label={words.from}
              value={from}
              options={[['', words.everyEnvironment], ...environments.map((slug) => [slug, slug] as const)]}
              onChange={setFrom}
            />
            <SelectField
              label={words.toEnvironment}
              value={env}
              options={[['', words.stay], ...environments.map((slug) => [slug, slug] as const)]}
              onChange={setEnv}
            />
          </div>
          <FolderField
            label={words.toFolder}
            hint={shared === undefined ? words.severalFolders : texts.folders.newHint}
            text={folder}
            folders={folders}
            problem={fieldProblem('/to/path') && texts.folders.badName}
            onText={setFolder}
          />
          {inTheWay.length > 0 && (
            <Notice kind="bad" title={words.inTheWayTitle}>
              <ul>
                {inTheWay.map((name) => (
                  <li key={name} className="mono">
                    {name}
                  </li>
                ))}
              </ul>
            </Notice>
          )}
        </>
      )}
    </FormDialog>
  );
}
