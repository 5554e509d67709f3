import './require-node.mjs';

const { writeFile } = await import('node:fs/promises');
const { prepare, root } = await import('./prepare.mjs');

await prepare();
const { errorsPage } = await import('./errors-page.mjs');
const { settingsPage } = await import('./settings-page.mjs');
await writeFile(`${root}/docs/errors.md`, await errorsPage());
await writeFile(`${root}/docs/settings.md`, await settingsPage());
