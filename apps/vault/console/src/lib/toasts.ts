export interface Toast {
  readonly id: number;
  readonly kind: 'plain' | 'bad';
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

export type NewToast = Omit<Toast, 'id' | 'kind'> & { readonly kind?: Toast['kind'] };

const shownMs = 6_000;
/** What can be undone stays long enough to be reached by keyboard. */
const shownWithActionMs = 15_000;
const most = 4;

let list: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  list = next;
  for (const listener of listeners) listener();
}

export const toasts = {
  current: (): readonly Toast[] => list,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  show(toast: NewToast): void {
    lastId += 1;
    const id = lastId;
    change([...list, { kind: 'plain' as const, ...toast, id }].slice(-most));
    setTimeout(() => toasts.dismiss(id), toast.action ? shownWithActionMs : shownMs);
  },
  clear(): void {
    change([]);
  },
  dismiss(id: number): void {
    change(list.filter((toast) => toast.id !== id));
  },
};
