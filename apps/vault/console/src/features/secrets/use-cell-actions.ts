import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { queryKeys } from '../../api/query-client.js';
import { deleteSecret, readSecret, restoreSecret, type SecretPlace } from '../../api/secret-api.js';
import { copySecret } from '../../lib/clipboard.js';
import { tellProblem } from '../../lib/tell-problem.js';
import { toasts } from '../../lib/toasts.js';
import { texts } from '../../texts.js';
import type { OnCellAction } from './secret-cell.js';
import { useRevealed } from './use-revealed.js';

export interface OpenedSecret {
  readonly rowId: string;
  readonly environment: string;
  readonly tab: 'value' | 'history' | 'about';
}

/** What the buttons and letters of a cell do. */
export function useCellActions(vaultId: string) {
  const client = useQueryClient();
  const [opened, setOpened] = useState<OpenedSecret>();
  const [announcement, setAnnouncement] = useState('');
  const names = useRef(new Map<string, string>());
  /** A key that is held down or pressed again asks once. */
  const asking = useRef(new Set<string>());
  const { values, show, hide } = useRevealed((id) => setAnnouncement(names.current.get(id) ?? ''));
  const shownNow = useRef(values);
  shownNow.current = values;

  const onAction = useCallback<OnCellAction>(
    (action, row, environment) => {
      const secret = row.cells.get(environment);
      const place = { vaultId, env: environment, path: row.path, key: row.key };
      const open = (tab: OpenedSecret['tab']) => setOpened({ rowId: row.id, environment, tab });
      if (!secret || action === 'open' || action === 'edit') return open('value');
      if (action === 'history') return open('history');
      if (action === 'delete') {
        if (asking.current.has(secret.id)) return;
        asking.current.add(secret.id);
        const done = () => asking.current.delete(secret.id);
        return void trashWithUndo(client, place, secret.version).finally(done);
      }
      if (action === 'copy') {
        return void copySecret(async () => (await readSecret(place)).value).then((done) =>
          toasts.show(
            done
              ? { text: texts.secrets.copied(row.key, environment) }
              : { kind: 'bad', text: texts.secrets.copyFailed },
          ),
        );
      }
      if (shownNow.current.has(secret.id)) {
        hide(secret.id);
        return setAnnouncement(texts.secrets.hidden(row.key, environment));
      }
      names.current.set(secret.id, texts.secrets.hidden(row.key, environment));
      if (asking.current.has(secret.id)) return;
      asking.current.add(secret.id);
      readSecret(place)
        .then(({ value, encoding }) => {
          show(secret.id, { value, isBinary: encoding === 'base64' });
          setAnnouncement(texts.secrets.revealed(row.key, environment));
        }, tellProblem)
        .finally(() => asking.current.delete(secret.id));
    },
    [client, vaultId, show, hide],
  );

  return { revealed: values, opened, setOpened, announcement, onAction };
}

/** Into the trash at once, with a way back: quicker than a question, and as safe. */
export async function trashWithUndo(
  client: ReturnType<typeof useQueryClient>,
  place: SecretPlace,
  version: number,
): Promise<void> {
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.vault(place.vaultId) });
  try {
    await deleteSecret(place, version);
    toasts.show({
      text: texts.editor.deleted(place.key, place.env),
      action: {
        label: texts.common.undo,
        run: () =>
          void restoreSecret(place).then(() => {
            toasts.show({ text: texts.editor.restored(place.key) });
            return refresh();
          }, tellProblem),
      },
    });
  } catch (error) {
    tellProblem(error);
  }
  await refresh();
}
