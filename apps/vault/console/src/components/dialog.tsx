import { type ReactNode, useEffect, useId, useRef } from 'react';
import { texts } from '../texts.js';
import { IconButton } from './button.js';

// Where one begins: at the first field, else at the first thing to do. The browser alone would choose the cross.
const fields =
  '.dialog-body :is(textarea, select, input:not([type=radio], [type=checkbox], [type=range], [type=file]))';
const firstTarget = (dialog: HTMLElement | null) =>
  dialog?.querySelector<HTMLElement>(fields) ??
  dialog?.querySelector<HTMLElement>('.dialog-body button, .dialog-body input, .dialog-foot button');

export interface DialogProps {
  readonly title: string;
  readonly shape?: 'plain' | 'wide' | 'sheet';
  readonly onClose: () => void;
  /** Neither Escape nor the cross closes it: something must be confirmed first. */
  readonly locked?: boolean;
  /** Between the title and what scrolls. */
  readonly header?: ReactNode;
  readonly footer?: ReactNode;
  /** Above the footer, in sight wherever one has scrolled to. */
  readonly alert?: ReactNode;
  /** Makes the content a form; its button in the footer submits. */
  readonly onSubmit?: (() => void) | undefined;
  readonly children: ReactNode;
}

/**
 * The browser's own modal dialog: it traps focus, closes on Escape and gives focus back to where it was. Rendered
 * while open, gone when closed, so that nothing in it outlives it.
 */
export function Dialog(props: DialogProps) {
  const {
    title,
    shape = 'plain',
    onClose,
    locked = false,
    header,
    footer,
    alert,
    onSubmit,
    children,
  } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    firstTarget(element)?.focus();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  const content = (
    <>
      {header}
      <div className="dialog-body">{children}</div>
      {alert && <div className="dialog-alert">{alert}</div>}
      {footer && <div className="dialog-foot">{footer}</div>}
    </>
  );
  return (
    <dialog
      ref={dialog}
      className={shape === 'plain' ? 'dialog' : `dialog dialog-${shape}`}
      aria-labelledby={titleId}
      // So that it can take the focus of what has gone from within it.
      tabIndex={-1}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        if (!locked) onClose();
      }}
      onKeyDown={(event) => {
        // Chromium closes on a second Escape without asking.
        if (event.key === 'Escape') {
          event.preventDefault();
          if (!locked) onClose();
        }
        // From a field of many lines, too.
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          dialog.current?.querySelector('form')?.requestSubmit();
        }
        event.stopPropagation();
      }}
    >
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {!locked && <IconButton icon="close" label={texts.common.close} onClick={onClose} />}
      </div>
      {onSubmit ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {content}
        </form>
      ) : (
        content
      )}
    </dialog>
  );
}
