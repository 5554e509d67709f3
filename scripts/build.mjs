import './require-node.mjs';

const { prepare } = await import('./prepare.mjs');
await prepare();
