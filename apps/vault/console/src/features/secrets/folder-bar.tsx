import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { withQuery } from '../../api/client.js';
import { Icon } from '../../components/icon.js';
import { texts } from '../../texts.js';
import { type Folder, lastName, topFolder, trailOf } from './folders.js';

export interface FolderBarProps {
  readonly folder: string;
  readonly below: readonly Folder[];
}

const linkTo = (path: string) => withQuery('', { folder: path === topFolder ? undefined : path });
const nameOf = (path: string) => (path === topFolder ? texts.folders.all : lastName(path));

/** Where one is, the way back up, and the folders below. */
export function FolderBar({ folder, below }: FolderBarProps) {
  const here = useRef<HTMLSpanElement>(null);
  const before = useRef(folder);

  // The link that was followed is gone: the keyboard goes on where it led to.
  useEffect(() => {
    if (before.current === folder) return;
    before.current = folder;
    here.current?.focus();
  }, [folder]);

  return (
    <nav className="folders" aria-label={texts.folders.label}>
      <ol className="folder-trail">
        {trailOf(folder).map((path) => (
          <li key={path}>
            {path === folder ? (
              <span ref={here} aria-current="page" tabIndex={-1}>
                {nameOf(path)}
              </span>
            ) : (
              <Link to={linkTo(path) || '?'}>{nameOf(path)}</Link>
            )}
          </li>
        ))}
      </ol>
      {below.length > 0 && (
        <ul className="folder-list">
          {below.map(({ path, name, keys }) => (
            <li key={path}>
              <Link className="button button-small" to={linkTo(path)}>
                <Icon name="folder" />
                <span className="folder-name">{name}</span>
                <span className="soft" aria-hidden="true">
                  {keys}
                </span>
                <span className="unseen">{texts.secrets.shown(keys, keys)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}
