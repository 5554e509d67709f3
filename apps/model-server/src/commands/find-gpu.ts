import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { probeGpu } from '../engine/process/probe-gpu.js';
import { formatBytes } from '../models/transfer/format-bytes.js';
import type { Finding } from './finding.js';

/** Which GPU there is, whether models are computed on it, and if not, what to do. */
export async function findGpu(env: NodeJS.ProcessEnv): Promise<Finding> {
  return { name: 'gpu', ok: true, text: await describe(env) };
}

async function describe(env: NodeJS.ProcessEnv): Promise<string> {
  const found = await lookForGpu(env);
  if (!found) return 'none found: models run on the CPU';
  const report = await probeGpu();
  if (report?.backend) {
    const memory = `${formatBytes(report.freeBytes)} of ${formatBytes(report.totalBytes)} free`;
    return `${report.names.join('; ')}: used (${report.backend}), ${memory}`;
  }
  if (report?.builds.includes(found.build)) {
    return `${found.name}: not used, because the build for it does not run here. ${found.needs}`;
  }
  return `${found.name}: not used, because no build for it is installed: npm run gpu -- ${found.build}`;
}

interface FoundGpu {
  readonly name: string;
  readonly build: 'cuda' | 'vulkan';
  readonly needs: string;
}

async function lookForGpu(env: NodeJS.ProcessEnv): Promise<FoundGpu | undefined> {
  const nvidia = await nvidiaGpus(env);
  if (nvidia) return { name: nvidia, build: 'cuda', needs: 'It needs the runtime of CUDA 13 or 12.' };
  const hasOther =
    (process.platform === 'darwin' && process.arch === 'arm64') ||
    existsSync('/dev/dri/renderD128') ||
    existsSync('/dev/kfd');
  return hasOther ? { name: 'a GPU', build: 'vulkan', needs: 'It needs a driver for Vulkan.' } : undefined;
}

async function nvidiaGpus(env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const query = ['--query-gpu=name,memory.total', '--format=csv,noheader'];
    const { stdout } = await promisify(execFile)('nvidia-smi', query, { env, timeout: 5000 });
    return stdout
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('; ');
  } catch {
    return '';
  }
}
