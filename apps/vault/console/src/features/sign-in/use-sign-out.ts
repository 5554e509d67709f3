import { useQueryClient } from '@tanstack/react-query';
import { signOut } from '../../api/session-api.js';
import { tellProblem } from '../../lib/tell-problem.js';

/** Ends the session and leaves by a fresh page, so that nothing loaded stays in memory. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    try {
      await signOut();
      client.clear();
      location.assign('/signin?signed_out');
    } catch (error) {
      tellProblem(error);
    }
  };
}
