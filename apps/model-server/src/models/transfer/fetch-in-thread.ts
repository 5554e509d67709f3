import { Worker } from 'node:worker_threads';
import {
  type FromThread,
  type Question,
  receivedError,
  sendableError,
  type ThreadWork,
  type ToThread,
} from './thread-messages.js';
import type { UrlSource } from './url-source.js';

/**
 * Runs a download in a thread of its own: there it may wait for the disk without waking another thread for each write,
 * which is what makes it fast, and it holds up nobody whose answer is being streamed. Credentials stay here.
 */
export async function fetchInThread(options: {
  readonly entry: URL;
  readonly work: ThreadWork;
  readonly source: UrlSource;
  readonly signal: AbortSignal;
  readonly report: (completedBytes: number) => void;
}): Promise<void> {
  const { entry, work, source, signal, report } = options;
  const refusals = new Map<number, unknown>();
  const thread = new Worker(entry, { workerData: work, execArgv: [] });
  const tell = (message: ToThread) => thread.postMessage(message);
  const stop = () => tell({ kind: 'stop' });

  const answer = async (id: number, question: Question) => {
    try {
      const value =
        question.about === 'authorization'
          ? await source.options.authorization(signal)
          : await source.options.onUnauthorized?.(
              { headers: { 'www-authenticate': question.header } },
              signal,
            );
      tell({ kind: 'answer', id, value });
    } catch (error) {
      refusals.set(id, error);
      tell({ kind: 'refusal', id, error: sendableError(error, id) });
    }
  };

  signal.addEventListener('abort', stop, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      let failure: unknown = new Error('the download thread ended without a word');
      let isDone = false;
      thread.on('message', (message: FromThread) => {
        if (message.kind === 'progress') report(message.completedBytes);
        else if (message.kind === 'question') void answer(message.id, message.question);
        else if (message.kind === 'done') isDone = true;
        else failure = refusals.get(message.error.questionId ?? 0) ?? receivedError(message.error);
      });
      thread.once('error', (error) => {
        failure = error;
      });
      // Only when the thread is gone are its files closed for sure.
      thread.once('exit', () => {
        if (isDone) resolve();
        else reject(signal.aborted ? signal.reason : failure);
      });
      if (signal.aborted) stop();
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
