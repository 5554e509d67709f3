import path from 'node:path';
import { root } from './prepare.mjs';

const pages = [
  ['Model server', 'apps/model-server/dist/config.js', 'modelServerSettings', '`hearth serve`'],
  ['Vault', 'apps/vault/dist/config.js', 'vaultSettings', '`hearth-vault serve` and `hearth-vault migrate`'],
];

/** The page of all settings, made from the declarations that the programs themselves read. */
export async function settingsPage() {
  const parts = [
    `# Settings

A flag wins over its variable, the variable over the default. Secrets have no flag where it would show them in the
process list, except the model server's \`--api-key\`, which the specification asks for: prefer \`HEARTH_API_KEY\`.
A wrong value stops the start; all problems are reported at once and no value is ever printed.

This page is made from the programs' own declarations: \`npm run docs\`.
`,
  ];
  for (const [title, file, exported, command] of pages) {
    const { [exported]: settings } = await import(path.join(root, file));
    const rows = Object.values(settings({})).map(
      ({ env, alsoEnv, flag = '', description, defaultText = '' }) =>
        `| \`${env}\`${alsoEnv ? ` or \`${alsoEnv}\`` : ''} | ${flag && `\`${flag}\``} | ${description} | ${defaultText} |`,
    );
    parts.push(`## ${title}

For ${command}.

| variable | flag | meaning | default |
|---|---|---|---|
${rows.join('\n')}
`);
  }
  return parts.join('\n');
}
