import { type ReactNode, useEffect, useState } from 'react';
import { ApiProblem } from '../api/problem.js';
import { useAttempt, type Work } from '../lib/use-attempt.js';
import { texts } from '../texts.js';
import { Button, type ButtonProps } from './button.js';
import { Dialog, type DialogProps } from './dialog.js';
import { ProblemNotice } from './problem-notice.js';

/** What is wrong with the field of this name in the request, such as `/name`. */
export type FieldProblem = (pointer: string) => string | undefined;

export interface FormDialogProps extends Pick<DialogProps, 'title' | 'shape' | 'onClose'> {
  /** What its button says. */
  readonly submit: string;
  readonly look?: ButtonProps['look'];
  readonly icon?: ButtonProps['icon'];
  readonly disabled?: boolean;
  /**
   * Rejects when it did not work: the dialog then stays open, with the reason. It may be cancelled meanwhile, and
   * another one opened: what it does to the page when it is done goes through `ifHere`.
   */
  readonly onSubmit: Work;
  /** More about a problem, in its own box. */
  readonly problemDetails?: ReactNode;
  /**
   * Fields ask for what the vault found wrong with them; then they say it, and not the dialog. A field that makes the
   * problem another one lets it be forgotten.
   */
  readonly children: ReactNode | ((fieldProblem: FieldProblem, forgetProblem: () => void) => ReactNode);
}

/** A question with fields, a way out and one thing to do: once at a time, and with words when it fails. */
export function FormDialog(props: FormDialogProps) {
  const { submit, look = 'primary', icon, disabled, onSubmit, problemDetails, children, ...frame } = props;
  const { busy, problem, run, forget } = useAttempt();
  const [attempts, setAttempts] = useState(0);

  // After a try that did not go through, one goes on at the first field that is wrong.
  useEffect(() => {
    if (attempts > 0) document.querySelector<HTMLElement>('dialog[open] [aria-invalid="true"]')?.focus();
  }, [attempts]);

  const submitForm = async () => {
    if (busy || disabled) return;
    await run(onSubmit);
    setAttempts((count) => count + 1);
  };

  let isToldByField = false;
  const fieldProblem: FieldProblem = (pointer) => {
    const detail = problem instanceof ApiProblem ? problem.fieldProblem(pointer) : undefined;
    isToldByField ||= detail !== undefined;
    return detail;
  };
  const content = typeof children === 'function' ? children(fieldProblem, forget) : children;

  return (
    <Dialog
      {...frame}
      alert={
        problem !== undefined && (
          <ProblemNotice error={problem} briefly={isToldByField}>
            {problemDetails}
          </ProblemNotice>
        )
      }
      onSubmit={() => void submitForm()}
      footer={
        <>
          <Button onClick={frame.onClose}>{texts.common.cancel}</Button>
          <Button type="submit" look={look} {...(icon ? { icon } : {})} busy={busy} disabled={disabled}>
            {submit}
          </Button>
        </>
      }
    >
      {content}
    </Dialog>
  );
}
