import { describe, expect, test } from '@jest/globals';
import { axeProblems } from './axe.js';
import { givenConsole, page, vault } from './given-console.js';
import { changeElsewhere, importByPaste, signIn, vaultIdOf } from './journeys.js';

givenConsole({ browser: { viewport: { width: 1280, height: 800 } }, onePage: true });

const problems = () => axeProblems(page);

/** Every test begins at an address of its own, so that one failure is one failure. */
async function open(address: string, name: string): Promise<void> {
  await page.goto(`${vault.url}${address}`);
  await page.getByRole('heading', { name }).first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
}

const cellOf = (key: string) =>
  page
    .getByRole('row', { name: new RegExp(key) })
    .getByRole('gridcell')
    .first();

describe('axe finds nothing, in light and dark,', () => {
  test('on the sign-in page, also with a problem on it', async () => {
    await page.goto(`${vault.url}/signin?e=provider`);
    await page.getByRole('link', { name: /Continue with GitHub/ }).waitFor();
    expect(await problems()).toEqual([]);
  }, 60_000);

  test('on the grid: empty, filled, with a value shown, and with its dialogs', async () => {
    await signIn(page, vault, 'axe');
    await page.getByText('Bring your first secrets').waitFor();
    expect(await problems()).toEqual([]);
    await importByPaste(page, 'API_KEY=abc\nDATABASE_URL=postgres://db\nPEM="a\nb"');
    await importByPaste(page, 'API_KEY=abd', 'prod');
    await cellOf('API_KEY').focus();
    await page.keyboard.press('r');
    await page.getByRole('gridcell').getByText('abc').waitFor();
    expect(await problems()).toEqual([]);
    for (const [key, name] of [
      ['n', 'Add a secret'],
      ['i', 'Import secrets'],
      ['?', 'Keyboard shortcuts'],
      ['Control+k', 'Quick search'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole('dialog', { name }).waitFor();
      expect(await problems()).toEqual([]);
      await page.keyboard.press('Escape');
    }
    await page.getByRole('button', { name: 'Export' }).click();
    expect(await problems()).toEqual([]);
    await page.keyboard.press('Escape');
  }, 60_000);

  test('on the grid with folders, within one, and in an empty one', async () => {
    await open('/secrets', 'Personal');
    await page.keyboard.press('n');
    await page.getByLabel('Key', { exact: true }).fill('IN_FOLDER');
    await page.getByLabel('Folder', { exact: true }).fill('payments');
    await page.getByRole('button', { name: 'Save' }).click();
    const folder = page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: /payments/ });
    await folder.waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole('checkbox', { name: 'Select keys' }).check();
    await page.getByRole('checkbox', { name: 'Select IN_FOLDER' }).check();
    expect(await problems()).toEqual([]);
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByRole('dialog', { name: 'Move 1 key' }).waitFor();
    expect(await problems()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Stop selecting' }).click();
    await folder.click();
    await page.getByRole('rowheader', { name: 'IN_FOLDER', exact: true }).waitFor();
    expect(await problems()).toEqual([]);
    await page.goto(`${page.url().split('?')[0]}?folder=/nothing/`);
    await page.getByText('This folder is empty').waitFor();
    expect(await problems()).toEqual([]);
  }, 60_000);

  test('on the page of API documentation', async () => {
    await page.goto(`${vault.url}/docs`);
    expect(await problems()).toEqual([]);
  }, 60_000);

  test('on every part of a secret', async () => {
    await open('/secrets', 'Personal');
    await cellOf('API_KEY').focus();
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByLabel('New value').fill('xyz');
    expect(await problems()).toEqual([]);
    await page.getByRole('button', { name: 'Save new version' }).click();
    await page.getByText('Saved API_KEY').waitFor();
    await cellOf('API_KEY').focus();
    await page.keyboard.press('h');
    await page.getByRole('button', { name: 'Compare with current' }).click();
    await page.getByRole('region', { name: 'Difference' }).waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole('tab', { name: 'Details' }).click();
    expect(await problems()).toEqual([]);
  }, 60_000);

  test('on the tokens page: empty, its form, the value shown once, the table with its menu', async () => {
    await open('/secrets/tokens', 'Make your first token');
    expect(await problems()).toEqual([]);
    await page.getByRole('button', { name: 'Create token' }).first().click();
    await page.getByRole('radio', { name: /Custom/ }).check();
    await page.getByLabel('Name', { exact: true }).fill('axe');
    expect(await problems()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Actions for axe' }).click();
    expect(await problems()).toEqual([]);
    await page.getByRole('menuitem', { name: 'Rename or narrow' }).click();
    await page.getByRole('checkbox').first().waitFor();
    expect(await problems()).toEqual([]);
  }, 60_000);

  test.each([
    ['/secrets/audit', 'Audit log'],
    ['/settings/logins', 'Logins'],
    ['/settings/sessions', 'Sessions'],
    ['/settings/backup', 'Backup'],
    ['/nowhere', 'Nothing is here'],
  ])(
    'on %s',
    async (address, name) => {
      await open(address, name);
      expect(await problems()).toEqual([]);
    },
    60_000,
  );

  test('in the trash and in the settings of a vault', async () => {
    await open('/secrets', 'Personal');
    await cellOf('PEM').focus();
    await page.keyboard.press('Delete');
    await page.getByText('Moved PEM (dev) to the trash').waitFor();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('rowheader', { name: 'PEM' }).waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole('link', { name: 'Back to secrets' }).click();
    await page.getByRole('link', { name: 'Manage vault' }).click();
    await page.getByRole('heading', { name: 'Environments' }).waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole('button', { name: 'Rename dev' }).click();
    expect(await problems()).toEqual([]);
  }, 60_000);
});

test.each([
  '/signin',
  '/secrets',
  '/secrets/tokens',
  '/secrets/audit',
  '/settings/logins',
  '/settings/sessions',
  '/settings/backup',
  '/docs',
])(
  '%s fits a screen of 320 pixels without scrolling sideways',
  async (address) => {
    await page.setViewportSize({ width: 320, height: 700 });
    await page.goto(`${vault.url}${address}`);
    await page.getByRole('heading').first().waitFor();
    await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
    expect(await tooWide()).toEqual([]);
  },
  60_000,
);

test.each([320, 1280])(
  'names of one long word break on a screen of %i pixels, and push nothing out of sight',
  async (width) => {
    await page.setViewportSize({ width, height: 700 });
    await open('/secrets', 'Personal');
    const home = `/api/secrets/vaults/${vaultIdOf(page)}`;
    const long = (letter: string, length: number) => `${letter}${width}`.padEnd(length, letter);
    const slug = long('e', 38);
    const post = (address: string, body: object | string) =>
      changeElsewhere(page, address, { method: 'POST', body });
    expect(await post(`${home}/environments`, { slug })).toBe(201);
    expect(await post(`${home}/import?env=dev`, `${long('K', 250)}=1`)).toBe(200);
    const token = { name: long('t', 95), scopes: ['secrets:read'], expires_in_days: 1 };
    expect(await post('/api/secrets/tokens', token)).toBe(201);

    await page.reload();
    await page.getByRole('checkbox', { name: 'Select keys' }).check();
    await page.getByRole('button', { name: /^Select all/ }).click();
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByRole('dialog').getByLabel('To environment').selectOption(slug);
    expect(await tooWide()).toEqual([]);
    for (const address of ['/secrets/tokens', '/secrets/audit']) {
      await page.goto(`${vault.url}${address}`);
      await page.getByText(token.name).first().waitFor();
      expect(await tooWide()).toEqual([]);
    }
    await page.goto(`${vault.url}${home.replace('/api/secrets/vaults', '/secrets')}/manage`);
    await page.getByRole('button', { name: `Rename ${slug}` }).click();
    expect(await tooWide()).toEqual([]);
    await page.getByLabel('New name').fill(`${slug}-x`);
    await page.getByRole('dialog').getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByText(`The environment is now ${slug}-x`).waitFor();
    expect(await tooWide()).toEqual([]);
  },
  60_000,
);

/** What is wider than the room it has: the page, a dialog, a message. */
function tooWide(): Promise<string[]> {
  return page.evaluate(() =>
    [
      document.documentElement,
      ...document.querySelectorAll('.dialog-body, .dialog-alert, .toast, .setting-rows'),
    ]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, className }) => `${tagName} ${className}`),
  );
}
