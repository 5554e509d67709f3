import type { SecretMessage } from '@hearth/protocol-types/vault/secret';
import { useId, useRef } from 'react';
import { Dialog } from '../../components/dialog.js';
import { texts } from '../../texts.js';
import { foldersOf } from './folders.js';
import { SecretDetailsTab } from './secret-details-tab.js';
import { SecretHistoryTab } from './secret-history-tab.js';
import type { SecretRow } from './secret-rows.js';
import { SecretValueTab } from './secret-value-tab.js';
import type { OpenedSecret } from './use-cell-actions.js';

export interface SecretSheetProps {
  readonly vaultId: string;
  readonly environments: readonly string[];
  readonly rows: readonly SecretRow[];
  readonly opened: OpenedSecret;
  readonly onChange: (opened: OpenedSecret) => void;
  readonly onClose: () => void;
}

const tabs = ['value', 'history', 'about'] as const;

/** Everything about one key, an environment at a time, beside the grid. */
export function SecretSheet({ vaultId, environments, rows, opened, onChange, onClose }: SecretSheetProps) {
  const found = rows.find(({ id }) => id === opened.rowId);
  // The row goes when its last value is deleted; the sheet keeps its name until it is closed.
  const last = useRef(found);
  if (found) last.current = found;
  const row = last.current;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const lastSecret = useRef<SecretMessage>(undefined);
  if (!row) return null;

  const there = found?.cells.get(opened.environment);
  if (there) lastSecret.current = there;
  // Deleted elsewhere while its details are being changed: they stay, with what was typed and why it could not be saved.
  const kept = opened.tab === 'about' ? lastSecret.current : undefined;
  const secret = there ?? (kept?.environment === opened.environment ? kept : undefined);
  const place = { vaultId, env: opened.environment, path: row.path, key: row.key };
  const shownTabs = secret ? tabs : tabs.slice(0, 1);
  const tab = secret ? opened.tab : 'value';
  const step = (by: number) => {
    const next = shownTabs[(shownTabs.indexOf(tab) + by + shownTabs.length) % shownTabs.length] ?? 'value';
    onChange({ ...opened, tab: next });
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };

  return (
    <Dialog
      title={row.path === '/' ? row.key : row.path.slice(1) + row.key}
      shape="sheet"
      onClose={onClose}
      header={
        <>
          <div className="dialog-head">
            <fieldset>
              <legend className="unseen">{texts.editor.environments}</legend>
              <div className="segments">
                {environments.map((slug) => (
                  <label key={slug}>
                    <input
                      type="radio"
                      name={id}
                      checked={slug === opened.environment}
                      onChange={() => onChange({ ...opened, environment: slug })}
                    />
                    {slug}
                    {!found?.cells.has(slug) && ` · ${texts.secrets.missing.toLowerCase()}`}
                  </label>
                ))}
              </div>
            </fieldset>
          </div>
          <div ref={list} role="tablist" aria-label={texts.editor.tabList} className="tabs">
            {shownTabs.map((name) => (
              <button
                key={name}
                type="button"
                role="tab"
                id={`${id}-${name}`}
                data-tab={name}
                aria-selected={tab === name}
                aria-controls={`${id}-panel`}
                tabIndex={tab === name ? 0 : -1}
                className="tab"
                onClick={() => onChange({ ...opened, tab: name })}
                onKeyDown={(event) => {
                  if (event.key === 'ArrowRight') step(1);
                  if (event.key === 'ArrowLeft') step(-1);
                }}
              >
                {texts.editor.tabs[name]}
              </button>
            ))}
          </div>
        </>
      }
    >
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${tab}`} className="stack">
        {tab === 'value' && (
          <SecretValueTab key={opened.environment} place={place} secret={secret} onClose={onClose} />
        )}
        {tab === 'history' && secret && (
          <SecretHistoryTab key={opened.environment} place={place} secret={secret} />
        )}
        {tab === 'about' && secret && (
          <SecretDetailsTab
            key={opened.environment}
            place={place}
            secret={secret}
            environments={environments}
            folders={foldersOf(rows)}
            onClose={onClose}
          />
        )}
      </div>
    </Dialog>
  );
}
