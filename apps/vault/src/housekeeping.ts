import type { Logger } from '@hearth/service-kit/logger';

/** Work that keeps the database small: what has expired, is removed. */
export type HousekeepingTasks = Readonly<Record<string, () => Promise<unknown>>>;

const everyMs = 15 * 60_000;

/** Runs the tasks now and then, one after the other. Several vaults may do so at once: a task deletes what is there. */
export function startHousekeeping(tasks: HousekeepingTasks, logger: Logger): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const round = async () => {
    for (const [task, work] of Object.entries(tasks)) {
      try {
        await work();
      } catch (error) {
        logger.warn({ task, err: error }, 'a housekeeping task failed; it runs again later');
      }
    }
  };
  const timer = setInterval(() => {
    running = running.then(round);
  }, everyMs);
  running = round();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
