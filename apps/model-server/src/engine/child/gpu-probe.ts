import { createRequire } from 'node:module';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import type { GpuReport } from '../ipc/gpu-report.js';

// A program that tells what a model would be computed with here, and ends. Native code that does not fit the machine
// ends no more than this process.

const llama = await getLlama({
  build: 'never',
  skipDownload: true,
  progressLogs: false,
  gpu: 'auto',
  logLevel: LlamaLogLevel.disabled,
});
const { total, free } = await llama.getVramState();
const report: GpuReport = {
  backend: llama.gpu || undefined,
  names: await llama.getGpuDeviceNames(),
  totalBytes: total,
  freeBytes: free,
  builds: ['cuda', 'vulkan'].filter(isInstalled),
};
process.send?.(report, () => process.exit());

/** The builds are packages that only the binding itself can see. */
function isInstalled(build: string): boolean {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const fromBinding = createRequire(createRequire(import.meta.url).resolve('node-llama-cpp'));
  try {
    fromBinding.resolve(`@node-llama-cpp/${system}-${process.arch}-${build}`);
    return true;
  } catch {
    return false;
  }
}
