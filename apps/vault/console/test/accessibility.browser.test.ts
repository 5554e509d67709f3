import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { startTestVault, type TestVault } from '../../test/start-test-vault.js';
import { startChromium, type TestChromium, watchedPage } from './chromium.js';
import { importByPaste, signIn } from './journeys.js';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let vault: TestVault;
let chromium: TestChromium;
let context: BrowserContext;
let page: Page;
let faults: readonly string[];

beforeAll(async () => {
  [vault, chromium] = await Promise.all([startTestVault(), startChromium()]);
  context = await chromium.newContext({ viewport: { width: 1280, height: 800 } });
  ({ page, faults } = await watchedPage(context, [vault.url, vault.standInUrl]));
}, 120_000);

afterAll(async () => {
  await chromium?.close();
  await vault?.close();
  expect(faults).toEqual([]);
});

/** What axe finds in what is shown now, in both themes. */
async function problems(): Promise<string[]> {
  const found: string[] = [];
  // A script of the test, not of the page: it goes in beside the policy, which stays in force for the page.
  await page.evaluate(axeSource);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    const { violations } = await page.evaluate(
      (tags) =>
        (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
          runOnly: tags,
        }),
      rules,
    );
    for (const { id, help, nodes } of violations) {
      found.push(`${theme} ${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
    }
  }
  return found;
}

const heading = (name: string) => page.getByRole('heading', { name }).first().waitFor();

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
    await page
      .getByRole('row', { name: /API_KEY/ })
      .getByRole('gridcell')
      .first()
      .focus();
    await page.keyboard.press('r');
    await page.getByRole('gridcell').getByText('abc').waitFor();
    expect(await problems()).toEqual([]);
    for (const [key, name] of [
      ['n', 'Add a secret'],
      ['i', 'Import secrets'],
      ['?', 'Keyboard shortcuts'],
      ['Control+k', 'Search and commands'],
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

  test('on every part of a secret', async () => {
    await page
      .getByRole('row', { name: /API_KEY/ })
      .getByRole('gridcell')
      .first()
      .focus();
    await page.keyboard.press('e');
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByLabel('New value').fill('xyz');
    expect(await problems()).toEqual([]);
    await page.getByRole('button', { name: 'Save new version' }).click();
    await page.getByText('Saved API_KEY').waitFor();
    await page
      .getByRole('row', { name: /API_KEY/ })
      .getByRole('gridcell')
      .first()
      .focus();
    await page.keyboard.press('h');
    await page.getByRole('button', { name: 'Compare with current' }).click();
    await page.getByRole('region', { name: 'Difference' }).waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole('tab', { name: 'Details' }).click();
    expect(await problems()).toEqual([]);
    await page.keyboard.press('Escape');
  }, 60_000);

  test('on the tokens page: empty, its form, the value shown once, the table, its menu', async () => {
    await page.getByRole('link', { name: 'Tokens' }).click();
    await heading('Make your first token');
    expect(await problems()).toEqual([]);
    await page.getByRole('button', { name: 'Create token' }).first().click();
    await page.getByRole('radio', { name: /Custom/ }).check();
    await page.getByLabel('Name').fill('axe');
    expect(await problems()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Actions for axe' }).click();
    expect(await problems()).toEqual([]);
    await page.keyboard.press('Escape');
  }, 60_000);

  test.each(['Audit log', 'Logins', 'Sessions', 'Backup'])(
    'on the page %s',
    async (name) => {
      await page.getByRole('link', { name }).click();
      await heading(name);
      await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
      expect(await problems()).toEqual([]);
    },
    60_000,
  );

  test('in the trash, in the settings of a vault and where nothing is', async () => {
    await page.getByRole('link', { name: 'Personal' }).click();
    await page.getByRole('row', { name: /PEM/ }).getByRole('gridcell').first().focus();
    await page.keyboard.press('Delete');
    await page.getByText('Moved PEM (dev) to the trash').waitFor();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('rowheader', { name: 'PEM' }).waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole('link', { name: 'Back to secrets' }).click();
    await page.getByRole('link', { name: 'Manage vault' }).click();
    await heading('Environments');
    expect(await problems()).toEqual([]);
    await page.goto(`${vault.url}/secrets/nowhere/at/all`);
    await heading('Nothing is here');
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
])(
  '%s fits a screen of 320 pixels without scrolling sideways',
  async (address) => {
    await page.setViewportSize({ width: 320, height: 700 });
    await page.goto(`${vault.url}${address}`);
    await page.getByRole('heading').first().waitFor();
    await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
    const wide = await page.evaluate(() => ({
      page: document.documentElement.scrollWidth,
      screen: document.documentElement.clientWidth,
    }));
    expect(wide.page).toBe(wide.screen);
  },
  60_000,
);
