import { type RefObject, useEffect, useRef } from 'react';

/** An act that takes its own button off the page, after which the keyboard goes on at `target`. */
export function useFocusAfter(act: () => void, target: RefObject<HTMLElement | null>): () => void {
  const wanted = useRef(false);
  // After the drawing that the act leads to: a dialog that closes with it has given its own focus back by then.
  useEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    target.current?.focus();
  });
  return () => {
    wanted.current = true;
    act();
  };
}
