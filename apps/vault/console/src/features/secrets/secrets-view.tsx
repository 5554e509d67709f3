import type { SecretMessage } from '@hearth/protocol-types/vault/secret';
import type { VaultDetail } from '@hearth/protocol-types/vault/vault-detail';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { Icon } from '../../components/icon.js';
import { PageHead } from '../../components/page-head.js';
import { useShortcuts } from '../../lib/shortcuts.js';
import { useFocusAfter } from '../../lib/use-focus-after.js';
import { texts } from '../../texts.js';
import { AddSecretDialog } from './add-secret-dialog.js';
import { ExportDialog } from './export-dialog.js';
import { FolderBar } from './folder-bar.js';
import { folderIn, foldersIn, foldersOf, topFolder } from './folders.js';
import { ImportDialog } from './import-dialog.js';
import { MoveDialog } from './move-dialog.js';
import { filterRows, toRows } from './secret-rows.js';
import { SecretSheet } from './secret-sheet.js';
import { SecretsGrid } from './secrets-grid.js';
import { SelectionBar } from './selection-bar.js';
import { useCellActions } from './use-cell-actions.js';
import { useFileDrop } from './use-file-drop.js';
import { useGridRequests } from './use-grid-requests.js';
import { useSelection } from './use-selection.js';

export interface SecretsViewProps {
  readonly vault: VaultDetail;
  readonly environments: readonly string[];
  readonly secrets: readonly SecretMessage[];
}

type Overlay = { kind: 'add' | 'export' | 'move' } | { kind: 'import'; text?: string };

export function SecretsView({ vault, environments, secrets }: SecretsViewProps) {
  const [text, setText] = useState('');
  const [onlyGaps, setOnlyGaps] = useState(false);
  const [overlay, setOverlay] = useState<Overlay>();
  const [focusRow, setFocusRow] = useState<string>();
  const searchField = useRef<HTMLInputElement>(null);
  const selectBox = useRef<HTMLInputElement>(null);
  const search = useDeferredValue(text);
  const [query, setQuery] = useSearchParams();
  const folder = folderIn(query.get('folder') ?? '');
  const rows = useMemo(() => toRows(secrets), [secrets]);
  const folders = useMemo(() => foldersOf(rows), [rows]);
  const below = useMemo(() => foldersIn(rows, folder), [rows, folder]);
  const here = useMemo(() => rows.filter(({ path }) => path.startsWith(folder)), [rows, folder]);
  const shown = useMemo(
    () => filterRows(here, { text: search, onlyGaps, environments }),
    [here, search, onlyGaps, environments],
  );
  const { revealed, opened, setOpened, announcement, onAction } = useCellActions(vault.id);
  const selection = useSelection();
  const marked = useMemo(() => rows.filter(({ id }) => selection.ids?.has(id)), [rows, selection.ids]);
  const close = () => setOverlay(undefined);
  const stopSelecting = useFocusAfter(selection.stop, selectBox);
  const place = { vaultId: vault.id, environments, folder };

  useShortcuts({
    '/': () => searchField.current?.focus(),
    n: () => setOverlay({ kind: 'add' }),
    i: () => setOverlay({ kind: 'import' }),
  });
  useGridRequests((request) => {
    if (request.kind !== 'find') return setOverlay({ kind: request.kind });
    setText('');
    setOnlyGaps(false);
    setFocusRow(request.rowId);
  });
  const drop = useFileDrop((pasted) => setOverlay({ kind: 'import', text: pasted }));

  return (
    <>
      <PageHead title={vault.name} about={texts.secrets.about}>
        <Link className="button" to={`/secrets/${vault.id}/trash`}>
          <Icon name="trash" />
          {texts.secrets.trash}
        </Link>
        <Link className="button" to={`/secrets/${vault.id}/manage`}>
          <Icon name="settings" />
          {texts.vaults.manage}
        </Link>
      </PageHead>
      <div className="toolbar">
        <div className="search">
          <Icon name="search" />
          <input
            ref={searchField}
            type="search"
            className="input"
            aria-label={texts.secrets.searchLabel}
            placeholder={texts.secrets.search}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setText('');
              if (event.key === 'ArrowDown' && shown[0]) setFocusRow(shown[0].id);
            }}
          />
        </div>
        <label className="check">
          <input type="checkbox" checked={onlyGaps} onChange={(event) => setOnlyGaps(event.target.checked)} />
          <span>{texts.secrets.onlyMissing}</span>
        </label>
        {rows.length > 0 && (
          <label className="check">
            <input
              ref={selectBox}
              type="checkbox"
              checked={selection.ids !== undefined}
              onChange={(event) => (event.target.checked ? selection.start() : selection.stop())}
            />
            <span>{texts.move.start}</span>
          </label>
        )}
        <div className="toolbar-actions">
          <Button icon="upload" onClick={() => setOverlay({ kind: 'import' })}>
            {texts.secrets.import}
          </Button>
          <Button icon="download" onClick={() => setOverlay({ kind: 'export' })}>
            {texts.secrets.export}
          </Button>
          <Button icon="plus" look="primary" onClick={() => setOverlay({ kind: 'add' })}>
            {texts.secrets.add}
          </Button>
        </div>
      </div>
      {(folders.length > 1 || folder !== topFolder) && <FolderBar folder={folder} below={below} />}
      {selection.ids !== undefined && (
        <SelectionBar
          selected={marked.length}
          hidden={marked.length - shown.filter(({ id }) => selection.ids?.has(id)).length}
          shown={shown.length}
          onMove={() => setOverlay({ kind: 'move' })}
          onAll={() => selection.addAll(shown.map(({ id }) => id))}
          onDone={stopSelecting}
        />
      )}
      <div className="panel grid-panel" data-dropping={drop.over} {...drop.handlers}>
        {rows.length > 0 && here.length === 0 ? (
          <EmptyState icon="folder" title={texts.folders.emptyTitle}>
            <p>{texts.folders.emptyAbout}</p>
            <div className="row">
              <Button look="primary" icon="plus" onClick={() => setOverlay({ kind: 'add' })}>
                {texts.secrets.add}
              </Button>
              <Button onClick={() => setQuery({})}>{texts.folders.toTop}</Button>
            </div>
          </EmptyState>
        ) : rows.length === 0 ? (
          <EmptyState icon="upload" title={texts.secrets.emptyTitle}>
            <p>{texts.secrets.emptyAbout}</p>
            <div className="row">
              <Button look="primary" icon="upload" onClick={() => setOverlay({ kind: 'import' })}>
                {texts.palette.importFile}
              </Button>
              <Button icon="plus" onClick={() => setOverlay({ kind: 'add' })}>
                {texts.secrets.add}
              </Button>
            </div>
          </EmptyState>
        ) : shown.length === 0 ? (
          <EmptyState icon="search" title={texts.secrets.noMatch}>
            <p>{texts.secrets.noMatchAbout}</p>
            <Button
              onClick={() => {
                setText('');
                setOnlyGaps(false);
                searchField.current?.focus();
              }}
            >
              {texts.secrets.clearSearch}
            </Button>
          </EmptyState>
        ) : (
          <SecretsGrid
            rows={shown}
            environments={environments}
            revealed={revealed}
            search={search}
            folder={folder}
            focusRow={focusRow}
            onFocused={() => setFocusRow(undefined)}
            onAction={onAction}
            selected={selection.ids}
            onSelect={selection.toggle}
          />
        )}
      </div>
      <p className="small soft" role="status">
        {here.length > 0 && texts.secrets.shown(shown.length, here.length)}
      </p>
      <p className="unseen" role="status">
        {announcement}
      </p>
      {overlay?.kind === 'add' && <AddSecretDialog {...place} rows={rows} onClose={close} />}
      {overlay?.kind === 'import' && (
        <ImportDialog {...place} folders={folders} text={overlay.text} onClose={close} />
      )}
      {overlay?.kind === 'move' && (
        <MoveDialog
          vaultId={vault.id}
          environments={environments}
          folders={folders}
          rows={marked}
          onClose={close}
          onMoved={() => {
            close();
            stopSelecting();
          }}
        />
      )}
      {overlay?.kind === 'export' && <ExportDialog {...place} folders={folders} onClose={close} />}
      {opened && (
        <SecretSheet
          vaultId={vault.id}
          environments={environments}
          rows={rows}
          opened={opened}
          onChange={setOpened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}
