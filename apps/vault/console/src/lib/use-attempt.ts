import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../api/problem.js';

/** Acts only while whoever began is still on the screen: what was opened since is not theirs to close. */
export type IfHere = (act: () => void) => void;
export type Work = (ifHere: IfHere) => Promise<unknown>;

export interface Attempt {
  readonly busy: boolean;
  /** Why the last try did not work. */
  readonly problem: unknown;
  readonly run: (work: Work) => Promise<void>;
  readonly forget: () => void;
}

/** Refused because of how things are: what the page shows is no longer so. */
const staleStatuses: readonly number[] = [404, 409, 412];

/** Something that one asks for: once at a time, and with the reason when it does not work; `onProblem` may say it too. */
export function useAttempt(onProblem?: (problem: unknown) => void): Attempt {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const running = useRef(false);
  const here = useRef(true);

  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  const run = async (work: Work) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await work((act) => {
        if (here.current) act();
      });
    } catch (error) {
      setProblem(error);
      onProblem?.(error);
      if (error instanceof ApiProblem && staleStatuses.includes(error.status)) {
        void client.invalidateQueries();
      }
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, problem, run, forget: () => setProblem(undefined) };
}
