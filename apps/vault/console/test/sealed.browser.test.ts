import { expect, test } from '@jest/globals';
import { startSealableVault } from '../../test/start-sealable-vault.js';
import { axeProblems } from './axe.js';
import { watchedPage } from './chromium.js';
import { context, givenConsole, page, vault } from './given-console.js';
import { holdRequests } from './hold-requests.js';
import { changeElsewhere, documentText, importByPaste, signIn } from './journeys.js';

const passphrase = 'a passphrase of some length';
givenConsole({
  browser: { viewport: { width: 1280, height: 800 } },
  onePage: true,
  startVault: () => startSealableVault(passphrase),
});

const field = () => page.getByLabel('Passphrase', { exact: true });
const unseal = async (text: string) => {
  await field().fill(text);
  await page.getByRole('button', { name: 'Unseal' }).click();
};

test('every address of a sealed vault leads to its one page, without a fault for axe, at any width', async () => {
  for (const address of ['/', '/signin', '/secrets/tokens', '/settings/seal']) {
    await page.goto(`${vault.url}${address}`);
    await page.getByRole('heading', { level: 1, name: 'This vault is sealed.' }).waitFor();
  }
  expect(await page.title()).toContain('sealed');
  expect(await field().evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await axeProblems(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.setViewportSize({ width: 1280, height: 800 });
}, 60_000);

test('a wrong passphrase is said beside the field, which stays hidden until one wants to look', async () => {
  await page.goto(`${vault.url}/`);
  await unseal('not the right one');
  await page.getByText('This passphrase does not open the vault').waitFor();
  expect(await field().getAttribute('aria-invalid')).toBe('true');
  expect(await field().getAttribute('type')).toBe('password');
  expect(await axeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show passphrase' }).click();
  expect(await field().getAttribute('type')).toBe('text');
  await unseal('');
  await page.getByText('Type the passphrase first').waitFor();
  await unseal('x'.repeat(1025));
  await page.getByText('This is longer than a passphrase can be').waitFor();
}, 60_000);

test('the right one opens the vault where one was going, and sealing it takes everything off the screen', async () => {
  await page.goto(`${vault.url}/signin`);
  await field().fill(passphrase);
  await field().press('Enter');
  await page.getByRole('link', { name: /Continue with GitHub/ }).waitFor();
  expect(await documentText(page)).not.toContain(passphrase);

  await signIn(page, vault, 'ada');
  await importByPaste(page, 'API_KEY=abc');
  const other = await watchedPage(context, [vault.url, vault.standInUrl]);
  await other.page.goto(`${vault.url}/`);
  await other.page.getByText('API_KEY').waitFor();

  await other.page
    .getByRole('row', { name: /API_KEY/ })
    .getByRole('gridcell')
    .first()
    .focus();
  await other.page.keyboard.press('Delete');
  const undo = other.page.getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  await page.goto(`${vault.url}/settings/seal`);
  await page.getByRole('button', { name: 'Seal the vault' }).click();
  expect(await axeProblems(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Seal the vault' }).click();
  await page.getByRole('heading', { level: 1, name: 'This vault is sealed.' }).waitFor();

  // Another tab finds out with its next call, and comes back by itself once somebody has unsealed.
  await other.page.getByRole('link', { name: 'Tokens' }).click();
  await other.page.getByRole('heading', { level: 1, name: 'This vault is sealed.' }).waitFor();
  expect(await documentText(other.page)).not.toContain('API_KEY');
  expect(await undo.count()).toBe(0);
  await unseal(passphrase);
  await page.getByRole('heading', { level: 1, name: 'Seal' }).waitFor();
  await other.page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
  expect(other.faults).toEqual([]);

  await page.goto(`${vault.url}/secrets/audit`);
  await page.getByText('Sealing the vault').waitFor();
  await page.getByLabel('Log', { exact: true }).selectOption('Installation');
  await page
    .getByRole('cell', { name: /Unsealing the vault/ })
    .first()
    .waitFor();
  // Who tried, and when, as people write it.
  await page.getByText(/addresses 127\.0\.0\.1/).waitFor();
  expect(await page.getByText(/first at \d{4}-/).count()).toBe(0);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  expect(await page.getByLabel('Log', { exact: true }).inputValue()).toBe('installation');
  expect(await axeProblems(page)).toEqual([]);
}, 90_000);

test('a passphrase that comes after another has opened the vault leads in as well', async () => {
  const sealed = page.getByRole('heading', { level: 1, name: 'This vault is sealed.' });
  expect(await changeElsewhere(page, '/api/sys/seal', { method: 'POST' })).toBe(204);
  await page.goto(`${vault.url}/secrets/tokens`);
  await sealed.waitFor();
  const passing = await holdRequests(page, '**/api/sys/unseal');
  const looks = await holdRequests(page, '**/api/providers');
  await unseal(passphrase);
  await passing.begun;
  const quicker = await fetch(`${vault.url}/api/sys/unseal`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ passphrase }),
  });
  expect(quicker.ok).toBe(true);
  passing.release();
  looks.release();
  await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
}, 60_000);
