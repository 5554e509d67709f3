import { hasCode } from '../api/problem.js';
import { SignInAgain } from '../features/sign-in/sign-in-again.js';
import { describeProblem } from '../lib/describe-problem.js';
import { Notice } from './notice.js';

/** Why something did not work, where it did not work. */
export function ProblemNotice({ error }: { readonly error: unknown }) {
  if (hasCode(error, 'reauthentication_required')) return <SignInAgain />;
  const { title, detail, reference } = describeProblem(error);
  return (
    <Notice kind="bad" title={title} live>
      {detail && <p>{detail}</p>}
      {reference && <p className="small soft">{reference}</p>}
    </Notice>
  );
}
