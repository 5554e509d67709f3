import { parentPort, workerData } from 'node:worker_threads';
import { fetchToFile } from './fetch-to-file.js';
import { HttpClient } from './http-client.js';
import { ProxyRules } from './proxy-rules.js';
import {
  type FromThread,
  type Question,
  receivedError,
  sendableError,
  type ThreadWork,
  type ToThread,
} from './thread-messages.js';
import { UrlSource } from './url-source.js';

// The program of a download thread: one large blob from its source to the disk.

const { job, url, allowPlainHttp, client: clientOptions } = workerData as ThreadWork;
const progressEveryMs = 25;
const stop = new AbortController();
const questions = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
let lastQuestion = 0;

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}

async function ask(question: Question): Promise<unknown> {
  lastQuestion += 1;
  const id = lastQuestion;
  return await new Promise((resolve, reject) => {
    questions.set(id, { resolve, reject });
    send({ kind: 'question', id, question });
  });
}

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'stop') return stop.abort(new Error('stopped'));
  const asked = questions.get(message.id);
  questions.delete(message.id);
  if (message.kind === 'answer') asked?.resolve(message.value);
  else asked?.reject(receivedError(message.error));
});

const { proxies, ...rest } = clientOptions;
const client = new HttpClient({ ...rest, proxies: proxies && new ProxyRules(proxies) });
const source = new UrlSource({
  client,
  url: new URL(url),
  allowPlainHttp,
  authorization: async () => (await ask({ about: 'authorization' })) as string | undefined,
  onUnauthorized: async (reply) =>
    (await ask({ about: 'challenge', header: reply.headers['www-authenticate'] })) === true,
});

let latest = 0;
let reporting: NodeJS.Timeout | undefined;
function report(completedBytes: number): void {
  latest = completedBytes;
  reporting ??= setTimeout(() => {
    reporting = undefined;
    send({ kind: 'progress', completedBytes: latest });
  }, progressEveryMs);
}

try {
  await fetchToFile(job, source, { signal: stop.signal, report });
  send({ kind: 'done' });
} catch (error) {
  send({ kind: 'failed', error: sendableError(error) });
} finally {
  clearTimeout(reporting);
  client.close();
  parentPort?.close();
}
