import { useEffect, useRef, useSyncExternalStore } from 'react';
import { recall, remember } from './theme.js';

const storageKey = 'hearth.shortcuts';
let enabled = recall(storageKey) !== 'off';
const listeners = new Set<() => void>();

/** Single letters act only while this is on: speech input and stray keys must be able to rest. */
export function useShortcutsEnabled(): readonly [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore(subscribe, () => enabled);
  return [on, setEnabled];
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setEnabled(on: boolean): void {
  enabled = on;
  remember(storageKey, on ? undefined : 'off');
  for (const listener of listeners) listener();
}

export const shortcutsEnabled = (): boolean => enabled;

export type ShortcutMap = Readonly<Record<string, () => void>>;

/**
 * Keys for the whole page: `/`, `?`, `n`, `mod+k`, or two in a row such as `g t`. They rest while somebody types and
 * while a dialog is open.
 */
export function useShortcuts(map: ShortcutMap): void {
  const current = useRef(map);
  current.current = map;
  useEffect(() => {
    let first = '';
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      const name = nameOf(event);
      if (name === undefined || (!name.startsWith('mod+') && (!enabled || isTyping(event.target)))) return;
      const run = current.current[`${first} ${name}`] ?? current.current[name];
      const beginsPair = Object.keys(current.current).some((keys) => keys.startsWith(`${name} `));
      first = run === undefined && beginsPair ? name : '';
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

function nameOf(event: KeyboardEvent): string | undefined {
  if (event.altKey || event.isComposing || event.key.length !== 1) return undefined;
  const key = event.key.toLowerCase();
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key;
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
