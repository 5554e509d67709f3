import type { SecretMessage } from '@hearth/protocol-types/vault/secret';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { queryKeys } from '../../api/query-client.js';
import { listVaults } from '../../api/vault-api.js';
import type { IconName } from '../../components/icon.js';
import { chooseTheme } from '../../lib/theme.js';
import { texts } from '../../texts.js';
import { type GridRequest, requestOnGrid } from '../secrets/grid-requests.js';
import { rowId } from '../secrets/secret-rows.js';
import { useSignOut } from '../sign-in/use-sign-out.js';

export interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly group: keyof typeof texts.palette.groups;
  readonly run: () => void;
}

/** Everything that the palette offers at this moment. */
export function useCommands(onShortcuts: () => void): readonly Command[] {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { pathname } = useLocation();
  const signOut = useSignOut();
  const vaults = useQuery({ queryKey: queryKeys.vaults, queryFn: listVaults }).data ?? [];
  const here = vaults.find(({ id }) => pathname.startsWith(`/secrets/${id}`)) ?? vaults[0];

  const onGrid = (request: GridRequest) => () => {
    if (!here) return;
    requestOnGrid(request);
    navigate(`/secrets/${here.id}`);
  };
  const go = (to: string, label: string, icon: IconName): Command => ({
    id: to,
    label,
    icon,
    group: 'go',
    run: () => navigate(to),
  });
  const act = (id: string, label: string, icon: IconName, run: () => void): Command => ({
    id,
    label,
    icon,
    group: 'do',
    run,
  });
  const { shell, palette } = texts;
  const secrets = here ? (client.getQueryData<SecretMessage[]>(queryKeys.secrets(here.id)) ?? []) : [];
  const rowIds = [...new Set(secrets.map(({ path, key }) => rowId(path, key)))];
  return [
    act('add-secret', palette.addSecret, 'plus', onGrid({ kind: 'add' })),
    act('import', palette.importFile, 'upload', onGrid({ kind: 'import' })),
    act('export', palette.exportFile, 'download', onGrid({ kind: 'export' })),
    act('create-token', palette.createToken, 'key', () => navigate('/secrets/tokens?create')),
    go('/secrets/tokens', shell.tokens, 'key'),
    go('/secrets/audit', shell.audit, 'activity'),
    { ...go('/docs', shell.reference, 'help'), run: () => location.assign('/docs') },
    go('/settings/logins', shell.logins, 'login'),
    go('/settings/sessions', shell.sessions, 'device'),
    go('/settings/backup', shell.backup, 'archive'),
    go('/settings/seal', shell.seal, 'lock'),
    ...vaults.map(
      ({ id, name }): Command => ({
        id,
        label: name,
        icon: 'vault',
        group: 'vaults',
        run: () => navigate(`/secrets/${id}`),
      }),
    ),
    act('theme-light', palette.theme(shell.themes.light), 'sun', () => chooseTheme('light')),
    act('theme-dark', palette.theme(shell.themes.dark), 'moon', () => chooseTheme('dark')),
    act('theme-system', palette.theme(shell.themes.system), 'device', () => chooseTheme('system')),
    act('shortcuts', shell.shortcuts, 'command', onShortcuts),
    act('sign-out', shell.signOut, 'logout', () => void signOut()),
    ...rowIds.map(
      (id): Command => ({
        id: `key ${id}`,
        label: id.slice(1),
        icon: 'lock',
        group: 'secrets',
        run: onGrid({ kind: 'find', rowId: id }),
      }),
    ),
  ];
}
