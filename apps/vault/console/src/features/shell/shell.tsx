import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { IconButton } from '../../components/button.js';
import { ErrorBoundary } from '../../components/error-boundary.js';
import { useShortcuts } from '../../lib/shortcuts.js';
import { useFocusNet } from '../../lib/use-focus-net.js';
import { texts } from '../../texts.js';
import { CommandPalette } from './command-palette.js';
import { ShortcutsDialog } from './shortcuts-dialog.js';
import { Sidebar } from './sidebar.js';

/** The frame around every page: navigation, the palette, the list of shortcuts, and focus after a change of page. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [overlay, setOverlay] = useState<'palette' | 'shortcuts'>();
  const [menuOpen, setMenuOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const close = () => setOverlay(undefined);

  useShortcuts({
    'mod+k': () => setOverlay('palette'),
    '?': () => setOverlay('shortcuts'),
    'g s': () => navigate('/secrets'),
    'g t': () => navigate('/secrets/tokens'),
    'g a': () => navigate('/secrets/audit'),
  });
  useFocusAfterNavigation(main, pathname);
  useFocusNet(main);
  useEffect(() => setMenuOpen(false), [pathname]);
  useEscape(menuOpen, () => setMenuOpen(false));

  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        {texts.skip}
      </a>
      <div className="topbar">
        <IconButton
          icon="menu"
          label={texts.shell.openMenu}
          aria-expanded={menuOpen}
          aria-controls="sidebar"
          onClick={() => setMenuOpen(true)}
        />
        <span className="brand">
          <img src="/hearth.svg" width="28" height="28" alt="" />
          {texts.brand}
        </span>
        <IconButton icon="search" label={texts.shell.palette} onClick={() => setOverlay('palette')} />
      </div>
      <Sidebar
        open={menuOpen}
        onClose={() => setMenuOpen(false)}
        onPalette={() => setOverlay('palette')}
        onShortcuts={() => setOverlay('shortcuts')}
      />
      <main id="main" ref={main} className="main" tabIndex={-1}>
        <ErrorBoundary key={pathname}>{children}</ErrorBoundary>
      </main>
      {overlay === 'palette' && (
        <CommandPalette onClose={close} onShortcuts={() => setOverlay('shortcuts')} />
      )}
      {overlay === 'shortcuts' && <ShortcutsDialog onClose={close} />}
    </div>
  );
}

/** A change of page is a change of place: the next Tab starts in the new page, and readers hear its heading. */
function useFocusAfterNavigation(main: React.RefObject<HTMLElement | null>, pathname: string): void {
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    main.current?.focus();
  }, [main, pathname]);
}

function useEscape(active: boolean, onEscape: () => void): void {
  const current = useRef(onEscape);
  current.current = onEscape;
  useEffect(() => {
    if (!active) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') current.current();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [active]);
}
