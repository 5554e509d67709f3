import path from 'node:path';
import { createLogger } from '@hearth/service-kit/logger';
import { openModelLibrary } from '../dist/models/open-model-library.js';

// One pull in a process of its own, so that its memory can be told.
const [storeFolder, name] = process.argv.slice(2);
const library = openModelLibrary({
  storeFolder,
  modelFolders: [],
  bundledModelPath: path.resolve(import.meta.dirname, '../../../models/ember/ember.gguf'),
  logger: createLogger({ name: 'bench', level: 'silent', format: 'json' }),
});
const cpu = process.cpuUsage();
const start = performance.now();
await library.pull(name, { insecure: true, signal: new AbortController().signal, report: () => undefined });
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(cpu);
const { maxRSS } = process.resourceUsage();
process.send({ seconds, cpuSeconds: (user + system) / 1e6, peakMegabytes: maxRSS / 1024 });
library.close();
process.disconnect();
