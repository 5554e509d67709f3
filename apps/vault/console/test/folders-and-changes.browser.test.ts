import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { context, givenConsole, page, vault } from './given-console.js';
import { holdRequests } from './hold-requests.js';
import { importByPaste, paste, signIn, waitForFocus } from './journeys.js';

givenConsole();

const row = (name: string) => page.getByRole('rowheader', { name, exact: true });

async function addSecret(key: string, folder: string): Promise<void> {
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Add a secret' });
  await dialog.getByLabel('Key').fill(key);
  await dialog.getByLabel('Value').fill('v');
  await dialog.getByLabel('Folder').fill(folder);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('a folder is made by its first secret, walked into and out of, imported into and exported', async () => {
  await signIn(page, vault, 'folders');
  await page.getByText('Bring your first secrets').waitFor();
  const bar = page.getByRole('navigation', { name: 'Folders' });
  expect(await bar.count()).toBe(0);
  await addSecret('API_KEY', '');
  await addSecret('API_KEY', 'payments/eu');
  await row('payments/eu/ API_KEY').waitFor();

  await bar.getByRole('link', { name: /payments/ }).click();
  await row('eu/ API_KEY').waitFor();
  expect(await row('API_KEY').count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('payments');
  await bar.getByRole('link', { name: /eu/ }).click();
  await row('API_KEY').waitFor();
  expect(new URL(page.url()).searchParams.get('folder')).toBe('/payments/eu/');

  await page.getByText('1 key', { exact: true }).waitFor();
  await paste(page, 'STRIPE=sk');
  const dialog = page.getByRole('dialog', { name: 'Import secrets' });
  expect(await dialog.getByLabel('Into folder').inputValue()).toBe('payments/eu');
  await dialog.getByRole('button', { name: 'Import 1 change' }).click();
  await row('STRIPE').waitFor();

  await page.getByRole('button', { name: 'Export' }).click();
  expect(await page.getByLabel('Folder', { exact: true }).inputValue()).toBe('/payments/eu/');
  await page.getByLabel('Format').selectOption('JSON');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('payments-eu-dev.json');
  expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toEqual({ API_KEY: 'v', STRIPE: 'sk' });

  await page.keyboard.press('Control+k');
  await page.keyboard.type('payments/eu/STR');
  await page.keyboard.press('Enter');
  await row('payments/eu/ STRIPE').waitFor();
  expect(new URL(page.url()).search).toBe('');
  await page.goBack();
  await bar.getByRole('link', { name: 'All folders' }).click();
  await row('payments/eu/ STRIPE').waitFor();
  await row('API_KEY').waitFor();

  await context.clearCookies();
  await page.goto(`${page.url().split('?')[0]}?folder=/nothing/`);
  await page.getByRole('link', { name: /Continue with GitHub/ }).click();
  await page.getByLabel('Another name').fill('folders');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('This folder is empty').waitFor();
  await page.getByRole('button', { name: 'Show all folders' }).click();
  await row('payments/eu/ STRIPE').waitFor();
}, 60_000);

test('a folder that cannot be is refused in words, and nothing typed is lost', async () => {
  await signIn(page, vault, 'bad-folder');
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Add a secret' });
  await dialog.getByLabel('Key').fill('API_KEY');
  await dialog.getByLabel('Folder').fill('my folder');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Use letters, digits, _ . and - in each name').waitFor();
  await dialog.getByText('Some fields are not right yet').waitFor();
  expect(await dialog.getByLabel('Key').inputValue()).toBe('API_KEY');
}, 60_000);

test('an import writes what was shown: after a change elsewhere it is shown anew first', async () => {
  await signIn(page, vault, 'importer');
  await importByPaste(page, 'API_KEY=one');
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole('rowheader', { name: 'API_KEY' }).waitFor();

  await page.keyboard.press('i');
  const dialog = page.getByRole('dialog', { name: 'Import secrets' });
  await dialog.getByLabel('Text of a .env or JSON file').fill('API_KEY=mine\nNEW=1');
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await dialog.getByText('1 changed').waitFor();
  await importByPaste(other, 'NEW=theirs');
  await dialog.getByRole('button', { name: 'Import 2 changes' }).click();
  await dialog.getByText('This was changed elsewhere').waitFor();
  await dialog.getByText('2 changed').waitFor();
  await dialog.getByRole('button', { name: 'Import 2 changes' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Imported into dev: 0 new, 2 changed').waitFor();
}, 60_000);

test('an environment is renamed with its secrets, and never to a name that is taken', async () => {
  await signIn(page, vault, 'renamer');
  await importByPaste(page, 'API_KEY=abc', 'staging');
  await page.getByRole('link', { name: 'Manage vault' }).click();
  await page.getByRole('button', { name: 'Rename staging' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename staging' });
  await dialog.getByLabel('New name').fill('prod');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await dialog.getByText('This name is taken').waitFor();
  await dialog.getByLabel('New name').fill('qa');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByText('The environment is now qa').waitFor();
  await page.getByRole('button', { name: 'Delete qa' }).waitFor();
  await waitForFocus(page.getByRole('button', { name: 'Rename qa' }));
  await page.getByRole('link', { name: 'Back to secrets' }).click();
  await page.getByRole('columnheader', { name: 'qa' }).waitFor();
  await row('API_KEY').waitFor();
  expect(await page.getByRole('gridcell', { name: /Missing/ }).count()).toBe(2);
}, 60_000);

test('a token is renamed and narrowed, loses the right at once, and cannot get it back', async () => {
  await signIn(page, vault, 'narrower');
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('button', { name: 'Create token' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create a token' });
  await form.getByLabel('Name').fill('ci');
  await form.getByRole('radio', { name: /Read and write/ }).check();
  await form.getByRole('button', { name: 'Create token' }).click();
  const once = page.getByRole('dialog', { name: 'Copy your token now' });
  const token = String(await once.getByRole('region', { name: 'Token' }).locator('code').textContent());
  await once.getByRole('button', { name: 'I have stored it' }).click();
  const scopesNow = async () => {
    const reply = await fetch(`${vault.url}/api/secrets/token`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await reply.json()) as { scopes: string[] }).scopes;
  };
  expect(await scopesNow()).toContain('secrets:write');

  await page.getByRole('button', { name: 'Actions for ci' }).click();
  await page.getByRole('menuitem', { name: 'Rename or narrow' }).click();
  const edit = page.getByRole('dialog', { name: 'Rename or narrow ci' });
  await edit.getByLabel('Name', { exact: true }).fill('deploy');
  await edit.getByRole('checkbox', { name: /secrets:write/ }).uncheck();
  await edit.getByLabel('In which environments').fill('prod');
  await edit.getByRole('button', { name: 'Save' }).click();
  await page.getByText('deploy is changed').waitFor();
  expect(await scopesNow()).not.toContain('secrets:write');

  await page.getByRole('button', { name: 'Actions for deploy' }).click();
  await page.getByRole('menuitem', { name: 'Rename or narrow' }).click();
  const again = page.getByRole('dialog', { name: 'Rename or narrow deploy' });
  expect(await again.getByRole('checkbox', { name: /secrets:write/ }).count()).toBe(0);
  await again.getByLabel('In which environments').fill('');
  await again.getByRole('button', { name: 'Save' }).click();
  await again.getByText('that cannot be taken back').waitFor();
}, 60_000);

test('the line to try suits the token: one for models alone is not sent to the vaults it may not see', async () => {
  await signIn(page, vault, 'model-user');
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('button', { name: 'Create token' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create a token' });
  await form.getByLabel('Name').fill('chat');
  await form.getByRole('radio', { name: /Model server/ }).check();
  await form.getByRole('button', { name: 'Create token' }).click();
  const line = await page
    .getByRole('dialog')
    .getByText(/^curl /)
    .textContent();
  const [, authorization, url] = /^curl -H "Authorization: (.*)" (\S+)$/.exec(String(line)) ?? [];
  const reply = await fetch(String(url), { headers: { authorization: String(authorization) } });
  expect(reply.status).toBe(200);
  expect(await reply.json()).toMatchObject({ name: 'chat', scopes: ['models:use'] });
}, 60_000);

test('what is asked for twice in a row is done once', async () => {
  await signIn(page, vault, 'hasty');
  await importByPaste(page, 'API_KEY=one');
  await importByPaste(page, 'API_KEY=two');
  const cell = page
    .getByRole('row', { name: /API_KEY/ })
    .getByRole('gridcell')
    .first();

  const rollback = await holdRequests(page, '**/rollback?*');
  await cell.focus();
  await page.keyboard.press('h');
  const sheet = page.getByRole('dialog', { name: 'API_KEY' });
  const back = sheet
    .getByRole('listitem')
    .filter({ hasText: 'Version 1' })
    .getByRole('button', { name: 'Roll back to this' });
  await back.press('Enter');
  await back.press('Enter');
  await rollback.begun;
  rollback.release();
  await sheet.getByText('Version 3').waitFor();
  expect(rollback.count()).toBe(1);
  expect(await sheet.getByRole('alert').count()).toBe(0);
  await waitForFocus(back);
  await page.keyboard.press('Escape');

  await cell.focus();
  await page.keyboard.press('Delete');
  await page.getByRole('link', { name: 'Trash' }).click();
  const restore = await holdRequests(page, '**/restore?*');
  const button = page.getByRole('button', { name: 'Restore' });
  await button.press('Enter');
  await button.press('Enter');
  await restore.begun;
  restore.release();
  await page.getByText('The trash is empty').waitFor();
  expect(restore.count()).toBe(1);

  await page.getByRole('link', { name: 'Back to secrets' }).click();
  await page.getByRole('link', { name: 'Manage vault' }).click();
  const adding = await holdRequests(page, '**/environments', 'POST');
  const name = page.getByLabel('New environment');
  await name.fill('qa');
  await name.press('Enter');
  await name.press('Enter');
  await adding.begun;
  adding.release();
  await page.getByRole('button', { name: 'Rename qa' }).waitFor();
  expect(adding.count()).toBe(1);
  expect(await page.getByText('This name is taken').count()).toBe(0);
}, 60_000);

test('a browser without a network goes on with a vault that it reaches, and lists show what was done', async () => {
  await signIn(page, vault, 'offline');
  await page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await importByPaste(page, 'API_KEY=one');
  await row('API_KEY').waitFor();
  await page.getByRole('link', { name: 'Manage vault' }).click();
  await page.getByLabel('New environment').fill('qa');
  await page.getByRole('button', { name: 'Add environment' }).click();
  await page.getByRole('button', { name: 'Rename qa' }).waitFor();
}, 60_000);
