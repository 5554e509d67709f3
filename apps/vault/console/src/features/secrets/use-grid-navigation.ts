import { type KeyboardEvent, useEffect, useRef, useState } from 'react';

export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

export interface GridNavigation {
  readonly rows: number;
  readonly columns: number;
  /** Brings a row into the part that is drawn. */
  readonly scrollToRow: (row: number) => void;
}

const page = 10;

/** Arrows, Home, End and the page keys move one focus through the cells; Tab leaves the grid. */
export function useGridNavigation({ rows, columns, scrollToRow }: GridNavigation) {
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 });
  const wanted = useRef(false);
  const hadFocus = useRef(false);
  const table = useRef<HTMLTableElement>(null);
  const inside = {
    row: Math.min(active.row, Math.max(rows - 1, 0)),
    column: Math.min(active.column, columns - 1),
  };

  // After every drawing: the row that focus goes to may not have been there before.
  useEffect(() => {
    // A row that goes while it has the focus would leave the keyboard outside: on what holds the grid, the page or all.
    const lost = hadFocus.current && document.activeElement?.contains(table.current);
    if (!wanted.current && !lost) return;
    const cell = table.current?.querySelector<HTMLElement>(`[data-cell="${positionName(inside)}"]`);
    if (!cell) return;
    wanted.current = false;
    cell.focus();
  });

  const moveTo = (next: CellPosition) => {
    const row = Math.max(0, Math.min(rows - 1, next.row));
    const column = Math.max(0, Math.min(columns - 1, next.column));
    wanted.current = true;
    setActive({ row, column });
    scrollToRow(row);
  };

  const onArrow = (event: KeyboardEvent): boolean => {
    const { row, column } = inside;
    const far = event.ctrlKey || event.metaKey;
    const next: Readonly<Record<string, CellPosition>> = {
      ArrowDown: { row: row + 1, column },
      ArrowUp: { row: row - 1, column },
      ArrowRight: { row, column: column + 1 },
      ArrowLeft: { row, column: column - 1 },
      PageDown: { row: row + page, column },
      PageUp: { row: row - page, column },
      Home: { row: far ? 0 : row, column: 0 },
      End: { row: far ? rows - 1 : row, column: columns - 1 },
    };
    const target = next[event.key];
    if (!target) return false;
    event.preventDefault();
    moveTo(target);
    return true;
  };

  /** Where focus went by other means: a click, a Tab. */
  const onFocus = (target: EventTarget) => {
    hadFocus.current = true;
    const name = (target as HTMLElement).closest<HTMLElement>('[data-cell]')?.dataset['cell'];
    const [row, column] = (name ?? '').split(':').map(Number);
    if (row !== undefined && column !== undefined && (row !== active.row || column !== active.column)) {
      setActive({ row, column });
    }
  };

  const onBlur = () => {
    hadFocus.current = false;
  };

  return { table, active: inside, moveTo, onArrow, onFocus, onBlur };
}

export const positionName = ({ row, column }: CellPosition): string => `${row}:${column}`;
