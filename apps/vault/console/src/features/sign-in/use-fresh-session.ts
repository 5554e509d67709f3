import { useSession } from './require-session.js';

/** Whether the sign-in is recent enough to make tokens, export, destroy and change logins. */
export function useFreshSession(): boolean {
  const { session } = useSession();
  return Date.parse(session.fresh_until) > Date.now();
}
