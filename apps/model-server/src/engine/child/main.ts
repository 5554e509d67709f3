import type { ChildMessage } from '../ipc/child-message.js';
import type { ParentMessage } from '../ipc/parent-message.js';
import { toWireError } from '../ipc/wire-error.js';
import { ModelLoader } from './model-loader.js';
import { ModelWorker } from './model-worker.js';
import { stayWithParent } from './stay-with-parent.js';

// The program of an engine process: one model, loaded when the server says so, until the server goes.

stayWithParent();

const send = (message: ChildMessage): void => {
  if (process.connected) process.send?.(message);
};

let loader: ModelLoader | undefined;
let worker: ModelWorker | undefined;

process.on('message', (raw) => {
  const message = raw as ParentMessage;
  if (message.type === 'plan') {
    loader = new ModelLoader(message.model, send);
    loader.plan().then(
      (plan) => send({ type: 'planned', plan }),
      (error: unknown) => send({ type: 'load-failed', error: toWireError(error) }),
    );
  } else if (message.type === 'load') {
    loader?.load(message.contextLength).then(
      (parts) => {
        worker = new ModelWorker(parts, send);
        send({ type: 'loaded', facts: parts.facts });
      },
      (error: unknown) => send({ type: 'load-failed', error: toWireError(error) }),
    );
  } else {
    worker?.handle(message);
  }
});

send({ type: 'ready' });
