import { type ReactNode, useId, useState } from 'react';
import { texts } from '../texts.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { Field } from './field.js';
import { ProblemNotice } from './problem-notice.js';

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
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const inputId = useId();
  const ready = typed === undefined || text === typed;

  const confirm = async () => {
    if (!ready || busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void confirm()}
      footer={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" look="danger" busy={busy} disabled={!ready}>
            {action}
          </Button>
        </>
      }
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
      {problem !== undefined && <ProblemNotice error={problem} />}
    </Dialog>
  );
}
