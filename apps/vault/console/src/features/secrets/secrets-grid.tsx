import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import { shortcutsEnabled } from '../../lib/shortcuts.js';
import { texts } from '../../texts.js';
import { type CellAction, type OnCellAction, SecretCell } from './secret-cell.js';
import { SecretKeyCell } from './secret-key-cell.js';
import type { SecretRow } from './secret-rows.js';
import { positionName, useGridNavigation } from './use-grid-navigation.js';
import type { RevealedValue } from './use-revealed.js';

export interface SecretsGridProps {
  readonly rows: readonly SecretRow[];
  readonly environments: readonly string[];
  readonly revealed: ReadonlyMap<string, RevealedValue>;
  readonly search: string;
  readonly folder: string;
  /** A row to bring into view and focus. */
  readonly focusRow: string | undefined;
  readonly onFocused: () => void;
  readonly onAction: OnCellAction;
  /** The keys that are marked; undefined while none can be. */
  readonly selected: ReadonlySet<string> | undefined;
  readonly onSelect: (rowId: string) => void;
}

const rowHeight = 53;
const letters: Readonly<Record<string, CellAction>> = {
  r: 'reveal',
  c: 'copy',
  e: 'edit',
  h: 'history',
  Enter: 'open',
  Delete: 'delete',
};

/**
 * Keys by environments as a real table that arrows move through. Only the rows in view are drawn, so that 5,000 keys
 * scroll as well as five; aria-rowcount and aria-rowindex tell readers of the rest.
 */
export function SecretsGrid(props: SecretsGridProps) {
  const { rows, environments, revealed, search, folder, focusRow, onFocused, onAction, selected, onSelect } =
    props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollPaddingStart: 42,
  });
  const grid = useGridNavigation({
    rows: rows.length,
    columns: environments.length + 1,
    scrollToRow: (row) => virtualizer.scrollToIndex(row),
  });
  const openRow = useCallback(
    (row: SecretRow) => onAction('open', row, row.cells.keys().next().value ?? ''),
    [onAction],
  );

  const { moveTo } = grid;
  useEffect(() => {
    if (focusRow === undefined) return;
    const row = rows.findIndex(({ id }) => id === focusRow);
    if (row < 0) return;
    moveTo({ row, column: 0 });
    onFocused();
  }, [focusRow, rows]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || grid.onArrow(event)) return;
    const row = rows[grid.active.row];
    if (row && !event.ctrlKey && !event.metaKey && marks(event)) {
      event.preventDefault();
      return onSelect(row.id);
    }
    const action = letters[event.key];
    const onButton = (event.target as HTMLElement).tagName === 'BUTTON';
    if (!action || !row || event.ctrlKey || event.metaKey || (onButton && event.key === 'Enter')) return;
    if (event.key.length === 1 && !shortcutsEnabled()) return;
    event.preventDefault();
    const environment = environments[grid.active.column - 1];
    if (environment !== undefined) onAction(action, row, environment);
    else if (action === 'open' || action === 'edit' || action === 'history') openRow(row);
  };

  /** `x` on any cell; while keys are being selected, also Space on a key, where its box would take it. */
  const marks = ({ key, target }: KeyboardEvent) =>
    key === 'x'
      ? shortcutsEnabled()
      : key === ' ' && selected !== undefined && (target as HTMLElement).tagName === 'TH';

  const drawn = virtualizer.getVirtualItems();
  const above = drawn[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (drawn.at(-1)?.end ?? 0);
  return (
    <div ref={scroller} className="grid-scroll">
      <table
        ref={grid.table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrows move through its cells
        role="grid"
        className="secrets-grid"
        aria-label={texts.secrets.table}
        aria-rowcount={rows.length + 1}
        aria-colcount={environments.length + 1}
        aria-multiselectable={selected && true}
        onKeyDown={onKeyDown}
        onFocus={(event) => grid.onFocus(event.target)}
        onBlur={grid.onBlur}
      >
        <colgroup>
          <col className="key-column" />
          {environments.map((slug) => (
            <col key={slug} className="env-column" />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{texts.secrets.key}</th>
            {environments.map((slug) => (
              <th key={slug} scope="col">
                {slug}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={above} columns={environments.length + 1} />
          {drawn.map(({ index }) => {
            const row = rows[index];
            if (!row) return null;
            const position = (column: number) => positionName({ row: index, column });
            const isActive = (column: number) => grid.active.row === index && grid.active.column === column;
            return (
              <tr key={row.id} aria-rowindex={index + 2} aria-selected={selected?.has(row.id)}>
                <SecretKeyCell
                  row={row}
                  search={search}
                  folder={folder}
                  position={position(0)}
                  active={isActive(0)}
                  onOpen={openRow}
                  selected={selected?.has(row.id)}
                  onSelect={onSelect}
                />
                {environments.map((slug, column) => {
                  const secret = row.cells.get(slug);
                  return (
                    <SecretCell
                      key={slug}
                      row={row}
                      environment={slug}
                      secret={secret}
                      revealed={secret && revealed.get(secret.id)}
                      position={position(column + 1)}
                      active={isActive(column + 1)}
                      onAction={onAction}
                    />
                  );
                })}
              </tr>
            );
          })}
          <Spacer height={below} columns={environments.length + 1} />
        </tbody>
      </table>
    </div>
  );
}

/** Stands for the rows that are not drawn. */
function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes focus; it only holds the height
    <tr className="spacer" aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
