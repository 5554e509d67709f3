import { existsSync } from 'node:fs';

/** The devices of NVIDIA's driver, of Windows' one for Linux, and of AMD's. */
const devices = ['/dev/nvidia0', '/dev/dxg', '/dev/kfd'];

/** Whether this machine has a GPU, however little the inference library makes of it. */
export function hasGpuDevice(exists: (path: string) => boolean = existsSync): boolean {
  return devices.some(exists);
}
