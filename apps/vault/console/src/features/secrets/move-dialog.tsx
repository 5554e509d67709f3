import { vaultLimits } from '@hearth/protocol-types/vault/limits';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasCode } from '../../api/problem.js';
import { queryKeys } from '../../api/query-client.js';
import { moveSecrets } from '../../api/secret-api.js';
import { EnvironmentSelect } from '../../components/environment-select.js';
import { FormDialog } from '../../components/form-dialog.js';
import { NameList } from '../../components/name-list.js';
import { Notice } from '../../components/notice.js';
import { toasts } from '../../lib/toasts.js';
import type { IfHere } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';
import { FolderField } from './folder-field.js';
import { type MovePlan, type MoveWish, planMove, sharedFolder } from './move-plan.js';
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
  const [wish, setWish] = useState<MoveWish>({ from: '', env: '', folder: shared ?? '' });
  const [inTheWay, setInTheWay] = useState<readonly string[]>([]);
  const plan = planMove(rows, wish);
  const { secrets } = plan;
  const impossible = whyNot(rows, plan);

  const run = async (ifHere: IfHere) => {
    try {
      await moveSecrets(vaultId, secrets, plan.to);
    } catch (error) {
      setInTheWay(hasCode(error, 'key_taken') ? namesIn(error.fields, plan) : []);
      throw error;
    }
    toasts.show({ text: words.moved(secrets.length) });
    ifHere(onMoved);
    void client.invalidateQueries({ queryKey: queryKeys.vault(vaultId) });
  };

  return (
    <FormDialog
      title={words.title(rows.length)}
      submit={words.run(secrets.length)}
      disabled={secrets.length === 0 || impossible !== undefined}
      onClose={onClose}
      onSubmit={run}
      problemDetails={inTheWay.length > 0 && <NameList names={inTheWay} />}
    >
      {(fieldProblem, forgetProblem) => {
        const change = (part: Partial<MoveWish>) => {
          setWish({ ...wish, ...part });
          forgetProblem();
        };
        return (
          <>
            <NameList names={rows.map(({ path, key }) => path.slice(1) + key)} />
            <p className="soft">{words.about}</p>
            <div className="columns">
              <EnvironmentSelect
                label={words.from}
                value={wish.from}
                none={words.everyEnvironment}
                environments={environments}
                onChange={(from) => change({ from })}
              />
              <EnvironmentSelect
                label={words.toEnvironment}
                value={wish.env}
                none={words.stay}
                environments={environments}
                onChange={(env) => change({ env })}
              />
            </div>
            <FolderField
              label={words.toFolder}
              hint={rows.length > 0 && shared === undefined ? words.severalFolders : texts.folders.newHint}
              text={wish.folder}
              folders={folders}
              problem={fieldProblem('/to/path') && texts.folders.badName}
              onText={(folder) => change({ folder })}
            />
            {impossible !== undefined && <Notice kind="warn" title={impossible} live />}
          </>
        );
      }}
    </FormDialog>
  );
}

/** What stands against it already, before the vault is asked. */
function whyNot(rows: readonly SecretRow[], { secrets, clash }: MovePlan): string | undefined {
  if (rows.length === 0) return words.gone;
  if (secrets.length > vaultLimits.batchOperations) return words.tooMany(vaultLimits.batchOperations);
  return clash && words.clash[clash.of](clash.key);
}

/** The vault names what it found by its place in the list that was sent. */
function namesIn(fields: ReadonlyMap<string, string>, { secrets, to }: MovePlan): string[] {
  return [...fields.keys()].flatMap((pointer) => {
    const secret = secrets[Number(/^\/secrets\/(\d+)$/.exec(pointer)?.[1])];
    if (!secret) return [];
    const folder = (to.path ?? secret.path).slice(1);
    return [words.inTheWay(folder + secret.key, to.env ?? secret.environment)];
  });
}
