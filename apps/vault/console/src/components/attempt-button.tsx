import { tellProblem } from '../lib/tell-problem.js';
import { useAttempt } from '../lib/use-attempt.js';
import { Button, type ButtonProps } from './button.js';

export interface AttemptButtonProps extends Omit<ButtonProps, 'busy' | 'onClick'> {
  /** Settles when the page shows what it did; until then a second click does nothing. */
  readonly work: () => Promise<unknown>;
}

/** A button that acts at once, and says in a corner when it could not. */
export function AttemptButton({ work, ...button }: AttemptButtonProps) {
  const { busy, run } = useAttempt(tellProblem);
  return <Button {...button} busy={busy} onClick={() => void run(work)} />;
}
