import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, NavLink } from 'react-router';
import { queryKeys } from '../../api/query-client.js';
import { listVaults } from '../../api/vault-api.js';
import { Button, IconButton } from '../../components/button.js';
import { Icon, type IconName } from '../../components/icon.js';
import { texts } from '../../texts.js';
import { useSession } from '../sign-in/require-session.js';
import { useSignOut } from '../sign-in/use-sign-out.js';
import { CreateVaultDialog } from '../vaults/create-vault-dialog.js';
import { ThemeChoice } from './theme-choice.js';

export interface SidebarProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onPalette: () => void;
  readonly onShortcuts: () => void;
}

export function Sidebar({ open, onClose, onPalette, onShortcuts }: SidebarProps) {
  const { user } = useSession();
  const signOut = useSignOut();
  const vaults = useQuery({ queryKey: queryKeys.vaults, queryFn: listVaults });
  const [creating, setCreating] = useState(false);
  const sidebar = useRef<HTMLElement>(null);

  useEffect(() => {
    if (open) sidebar.current?.querySelector<HTMLElement>('a, button')?.focus();
  }, [open]);

  return (
    <>
      {open && <div className="sidebar-veil" aria-hidden="true" onClick={onClose} />}
      <aside ref={sidebar} id="sidebar" className="sidebar" data-open={open}>
        <div className="spread">
          <Link className="brand" to="/">
            <img src="/hearth.svg" width="28" height="28" alt="" />
            {texts.brand}
          </Link>
          {open && <IconButton icon="close" label={texts.shell.closeMenu} onClick={onClose} />}
        </div>
        <Button icon="search" onClick={onPalette}>
          {texts.shell.palette} <kbd>{texts.shell.paletteKey}</kbd>
        </Button>
        <nav className="nav" aria-label={texts.shell.nav}>
          <div className="nav-group">
            <h2 className="nav-title">{texts.shell.secrets}</h2>
            {!vaults.data && <span className="nav-link" />}
            {vaults.data?.map((vault) => (
              <Entry key={vault.id} to={`/secrets/${vault.id}`} icon="vault" label={vault.name} />
            ))}
            <button type="button" className="nav-link nav-button" onClick={() => setCreating(true)}>
              <Icon name="plus" />
              <span>{texts.shell.newVault}</span>
            </button>
            <Entry to="/secrets/tokens" icon="key" label={texts.shell.tokens} />
            <Entry to="/secrets/audit" icon="activity" label={texts.shell.audit} />
            <a className="nav-link" href="/docs">
              <Icon name="help" />
              <span>{texts.shell.reference}</span>
            </a>
          </div>
          <div className="nav-group">
            <h2 className="nav-title">{texts.shell.settings}</h2>
            <Entry to="/settings/logins" icon="login" label={texts.shell.logins} />
            <Entry to="/settings/sessions" icon="device" label={texts.shell.sessions} />
            <Entry to="/settings/backup" icon="archive" label={texts.shell.backup} />
            <Entry to="/settings/seal" icon="lock" label={texts.shell.seal} />
          </div>
        </nav>
        <div className="sidebar-foot">
          <ThemeChoice />
          <button type="button" className="nav-link nav-button" onClick={onShortcuts}>
            <Icon name="command" />
            <span>{texts.shell.shortcuts}</span>
          </button>
          <div className="account">
            <span className="initials" aria-hidden="true">
              {initialsOf(user.display_name)}
            </span>
            <span className="account-name">{user.display_name}</span>
            <IconButton icon="logout" label={texts.shell.signOut} onClick={() => void signOut()} />
          </div>
        </div>
      </aside>
      {creating && <CreateVaultDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function Entry({
  to,
  icon,
  label,
}: {
  readonly to: string;
  readonly icon: IconName;
  readonly label: string;
}) {
  return (
    <NavLink className="nav-link" to={to}>
      <Icon name={icon} />
      <span>{label}</span>
    </NavLink>
  );
}

/** Initials instead of pictures: no provider learns when a page is opened. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  );
  return letters.join('').toUpperCase() || '?';
}
