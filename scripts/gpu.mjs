import './require-node.mjs';

const { installGpuBuild } = await import('./gpu-build.mjs');
await installGpuBuild(process.argv[2]);
