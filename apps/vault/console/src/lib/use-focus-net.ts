import { type RefObject, useEffect } from 'react';

/** Where what has the focus is taken off the page, the keyboard goes on in the open dialog or at `target`, and not before the beginning. */
export function useFocusNet(target: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: EventTarget | null = null;
    const onFocusIn = (event: FocusEvent) => {
      last = event.target;
    };
    const observer = new MutationObserver(() => {
      const gone = last instanceof Element && !last.isConnected;
      if (!gone || document.activeElement !== document.body) return;
      // Nothing behind an open dialog can have the focus.
      const dialogs = document.querySelectorAll<HTMLElement>('dialog[open]');
      (dialogs[dialogs.length - 1] ?? target.current)?.focus({ preventScroll: true });
    });
    addEventListener('focusin', onFocusIn);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      removeEventListener('focusin', onFocusIn);
      observer.disconnect();
    };
  }, [target]);
}
