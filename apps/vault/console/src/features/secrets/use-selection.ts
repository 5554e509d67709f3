import { useCallback, useState } from 'react';

export interface Selection {
  /** Row ids; undefined while nothing is being selected. */
  readonly ids: ReadonlySet<string> | undefined;
  readonly start: () => void;
  readonly stop: () => void;
  /** Also begins a selection. */
  readonly toggle: (rowId: string) => void;
  readonly addAll: (rowIds: readonly string[]) => void;
}

/** Which keys are marked to be moved together. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>();
  return {
    ids,
    start: () => setIds(new Set()),
    stop: () => setIds(undefined),
    toggle: useCallback(
      (rowId: string) =>
        setIds((before) => {
          const next = new Set(before);
          if (!next.delete(rowId)) next.add(rowId);
          return next;
        }),
      [],
    ),
    addAll: (rowIds) => setIds((before) => new Set([...(before ?? []), ...rowIds])),
  };
}
