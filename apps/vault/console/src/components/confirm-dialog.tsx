import { type ReactNode, useId, useState } from 'react';
import { texts } from '../texts.js';
import { Field } from './field.js';
import { FormDialog } from './form-dialog.js';

export interface ConfirmDialogProps {
  readonly title: string;
  readonly action: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<unknown>;
  /** A word to type first, for what cannot be undone. */
  readonly typed?: string;
}

/** Asks before something that hurts. It stays open, with the reason, when it did not work. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, children, onClose, onConfirm, typed } = props;
  const [text, setText] = useState('');
  const inputId = useId();

  return (
    <FormDialog
      title={title}
      submit={action}
      look="danger"
      disabled={typed !== undefined && text !== typed}
      onClose={onClose}
      onSubmit={async (ifHere) => {
        await onConfirm();
        ifHere(onClose);
      }}
    >
      {children}
      {typed !== undefined && (
        <Field id={inputId} label={texts.common.typeToConfirm(typed)}>
          <input
            id={inputId}
            className="input input-mono"
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      )}
    </FormDialog>
  );
}
