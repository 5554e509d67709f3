import { rm } from 'node:fs/promises';

export default async function stopPostgres() {
  const started = globalThis.hearthTestPostgres;
  if (!started) return;
  await started.server.stop();
  await rm(started.folder, { recursive: true, force: true });
}
