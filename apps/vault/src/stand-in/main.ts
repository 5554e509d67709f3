import type { RequestListener } from 'node:http';
import { listen } from '@hearth/service-kit/listen';
import { StartupError } from '@hearth/service-kit/startup-error';
import { isLoopbackUrl } from '../config/loopback.js';
import { createStandIn } from './create-stand-in.js';
import { type StandInReply, standInSettingsSchema } from './stand-in-settings.js';

// A process of its own, started by the vault and gone with it. It answers the first message with its address.
process.once('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

process.once('message', (message: unknown) => {
  void start(message).then(
    (reply) => process.send?.(reply),
    (error: unknown) => {
      const problem =
        error instanceof StartupError ? error.message : 'the stand-in providers could not start';
      process.send?.({ problem } satisfies StandInReply, () => process.exit(1));
    },
  );
});

async function start(message: unknown): Promise<StandInReply> {
  const settings = standInSettingsSchema.parse(message);
  if (!isLoopbackUrl(settings.publicUrl)) {
    throw new StartupError(
      'stand-in providers exist on this machine only: PUBLIC_URL is not a loopback address',
    );
  }
  let handler: RequestListener = (_request, response) => response.writeHead(503).end();
  const listening = await listen((request, response) => handler(request, response), settings);
  // Browsers reach it under the name they know the vault by, also when it listens on every address of a container.
  const url = `http://${new URL(settings.publicUrl).hostname}:${new URL(listening.url).port}`;
  handler = createStandIn(settings, url);
  return { url };
}
