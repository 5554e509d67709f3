import { describeProblem } from './describe-problem.js';
import { toasts } from './toasts.js';

/** Says in a corner why something did not work, where there is no better place for it. */
export function tellProblem(error: unknown): void {
  toasts.show({ kind: 'bad', text: describeProblem(error).title });
}
