import './require-node.mjs';

const { prepare } = await import('./prepare.mjs');
const { startServices } = await import('./start-services.mjs');

await prepare();
await startServices();
