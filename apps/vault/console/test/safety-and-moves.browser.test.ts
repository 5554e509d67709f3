import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { startTestVault, type TestVault } from '../../test/start-test-vault.js';
import { startChromium, type TestChromium, watchedPage } from './chromium.js';
import { signIn } from './journeys.js';

let vault: TestVault;
let chromium: TestChromium;
let context: BrowserContext;
let page: Page;
let faults: readonly string[];

beforeAll(async () => {
  [vault, chromium] = await Promise.all([startTestVault(), startChromium()]);
}, 120_000);

afterAll(async () => {
  await chromium?.close();
  await vault?.close();
});

beforeEach(async () => {
  context = await chromium.newContext();
  ({ page, faults } = await watchedPage(context, [vault.url, vault.standInUrl]));
});

afterEach(async () => {
  await context.close();
  expect(faults).toEqual([]);
});

/** Makes a token by the dialog and returns its value. */
async function makeToken(name: string): Promise<string> {
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('button', { name: 'Create token' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create a token' });
  await form.getByLabel('Name').fill(name);
  await form.getByRole('radio', { name: /Read only/ }).check();
  await form.getByRole('button', { name: 'Create token' }).click();
  const once = page.getByRole('dialog', { name: 'Copy your token now' });
  const value = (await once.getByText(/^sk-svc-[0-9A-Za-z]{46}$/).textContent()) ?? '';
  await once.getByRole('button', { name: 'I have stored it' }).click();
  await once.waitFor({ state: 'detached' });
  return value;
}

test('the owner of a reported token sees that it was revoked, when and where it was found', async () => {
  await signIn(page, vault, 'leaky');
  const leaked = await makeToken('in a public repository');
  await makeToken('still good');
  const url = `https://paste.example/${'long/'.repeat(40)}`;
  const report = await fetch(`${vault.url}/api/secrets/leaks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ token: leaked, type: 'hearth_token', url: `${url}?t=${leaked}` }]),
  });
  expect(report.status).toBe(202);
  await page.reload();
  const row = page.getByRole('row', { name: /in a public repository/ });
  await row.getByText('revoked: reported as leaked').waitFor();
  await row.getByText('reported by somebody').waitFor();
  await row.getByText(`${url}?t=sk-svc-…`).waitFor();
  expect(await row.getByText(/just now|second/).count()).toBeGreaterThan(0);
  // A stranger's address is no link, and does not make the page wider than the screen.
  expect(await row.getByRole('link').count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.getByRole('button', { name: 'Actions for still good' }).waitFor();
  expect(await page.getByRole('button', { name: 'Actions for in a public repository' }).count()).toBe(0);

  await page.getByRole('link', { name: 'Audit log' }).click();
  const event = page.getByRole('row', { name: /Revoked a token/ });
  await event.getByText('reason leaked', { exact: false }).waitFor();
  expect(await event.textContent()).toContain('Leak report');
  expect(await event.textContent()).toContain(url);
}, 60_000);
