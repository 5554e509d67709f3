import { useSyncExternalStore } from 'react';
import { useShortcuts } from '../lib/shortcuts.js';
import { type Toast, toasts } from '../lib/toasts.js';
import { texts } from '../texts.js';
import { Button, IconButton } from './button.js';
import { Icon } from './icon.js';

/** Short words about what just happened, in a corner; screen readers read them out. */
export function Toaster() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.current);
  useShortcuts({ z: () => runAction(shown.findLast(({ action }) => action)) });
  return (
    <section className="toasts" aria-label={texts.common.notifications}>
      <div role="status" className="stack-tight">
        {shown.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </div>
    </section>
  );
}

function runAction(toast: Toast | undefined): void {
  if (!toast?.action) return;
  toasts.dismiss(toast.id);
  toast.action.run();
}

function ToastCard({ toast }: { readonly toast: Toast }) {
  return (
    <div className={toast.kind === 'bad' ? 'toast toast-bad' : 'toast'}>
      <Icon name={toast.kind === 'bad' ? 'alert' : 'check'} />
      <span>{toast.text}</span>
      <span className="row">
        {toast.action && (
          <Button small look="quiet" onClick={() => runAction(toast)}>
            {toast.action.label}
          </Button>
        )}
        <IconButton icon="close" label={texts.common.dismiss} onClick={() => toasts.dismiss(toast.id)} />
      </span>
    </div>
  );
}
