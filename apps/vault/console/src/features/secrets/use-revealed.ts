import { useCallback, useEffect, useRef, useState } from 'react';

export interface RevealedValue {
  readonly value: string;
  readonly isBinary: boolean;
}

const shownMs = 30_000;

/**
 * The only place where values of secrets live in the page: here while they are shown, and nowhere else. They go after
 * 30 seconds, when the tab is left, and with the component; they are in no cache that outlives it.
 */
export function useRevealed(onHidden?: (id: string) => void) {
  const [values, setValues] = useState<ReadonlyMap<string, RevealedValue>>(new Map());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  const told = useRef(onHidden);
  told.current = onHidden;

  const hide = useCallback((id: string) => {
    clearTimeout(timers.current.get(id));
    timers.current.delete(id);
    setValues((before) => {
      const after = new Map(before);
      after.delete(id);
      return after;
    });
  }, []);

  const hideAll = useCallback(() => {
    for (const id of [...timers.current.keys()]) hide(id);
  }, [hide]);

  const show = useCallback(
    (id: string, value: RevealedValue) => {
      clearTimeout(timers.current.get(id));
      timers.current.set(
        id,
        setTimeout(() => {
          hide(id);
          told.current?.(id);
        }, shownMs),
      );
      setValues((before) => new Map(before).set(id, value));
    },
    [hide],
  );

  useEffect(() => {
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') hideAll();
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      for (const timer of timers.current.values()) clearTimeout(timer);
      timers.current.clear();
    };
  }, [hideAll]);

  return { values, show, hide, hideAll };
}
