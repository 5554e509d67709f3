import type { ReactNode } from 'react';
import { hasCode } from '../api/problem.js';
import { SignInAgain } from '../features/sign-in/sign-in-again.js';
import { describeProblem } from '../lib/describe-problem.js';
import { Notice } from './notice.js';

export interface ProblemNoticeProps {
  readonly error: unknown;
  /** The fields at fault say the rest. */
  readonly briefly?: boolean;
  /** What else is known about it here. */
  readonly children?: ReactNode;
}

/** Why something did not work, where it did not work. */
export function ProblemNotice({ error, briefly = false, children }: ProblemNoticeProps) {
  if (hasCode(error, 'reauthentication_required')) return <SignInAgain />;
  const { title, detail, reference } = describeProblem(error);
  return (
    <Notice kind="bad" title={title} live>
      {detail && !briefly && <p>{detail}</p>}
      {children}
      {reference && <p className="small soft">{reference}</p>}
    </Notice>
  );
}
