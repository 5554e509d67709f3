import type { ChildMessage, LoadOffer } from '../ipc/child-message.js';
import type { ModelStart, ParentMessage } from '../ipc/parent-message.js';
import { toWireError } from '../ipc/wire-error.js';
import { checkGgufFile } from './check-gguf-file.js';
import type { ModelLoader } from './model-loader.js';
import type { ModelWorker } from './model-worker.js';
import { stayWithParent } from './stay-with-parent.js';

// The program of an engine process: one model, loaded when the server says so, until the server goes.

stayWithParent();

const send = (message: ChildMessage): void => {
  if (process.connected) process.send?.(message);
};

let loader: ModelLoader | undefined;
let worker: ModelWorker | undefined;

async function plan(model: ModelStart): Promise<void> {
  if (!loader) {
    await checkGgufFile(model.path);
    // Half a second of modules and native code, for files that have a chance only.
    const { ModelLoader } = await import('./model-loader.js');
    loader = new ModelLoader(model, send);
  }
  send({ type: 'planned', plan: await loader.plan() });
}

async function load(offer: LoadOffer): Promise<void> {
  if (!loader) throw new Error('there is no plan to load');
  const parts = await loader.load(offer);
  const { ModelWorker } = await import('./model-worker.js');
  worker = new ModelWorker(parts, send);
  send({ type: 'loaded', facts: parts.facts });
}

const tellFailure = (error: unknown): void => send({ type: 'load-failed', error: toWireError(error) });

process.on('message', (raw) => {
  const message = raw as ParentMessage;
  if (message.type === 'plan') plan(message.model).catch(tellFailure);
  else if (message.type === 'load') load(message.offer).catch(tellFailure);
  else worker?.handle(message);
});

send({ type: 'ready' });
