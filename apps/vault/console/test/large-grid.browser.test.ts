import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startTestVault, type TestVault } from '../../test/start-test-vault.js';
import { startChromium, type TestChromium, watchedPage } from './chromium.js';
import { signIn } from './journeys.js';

const keys = 5000;
let vault: TestVault;
let chromium: TestChromium;
let page: Page;

beforeAll(async () => {
  [vault, chromium] = await Promise.all([startTestVault(), startChromium()]);
  const context = await chromium.newContext({ viewport: { width: 1280, height: 800 } });
  ({ page } = await watchedPage(context, [vault.url, vault.standInUrl]));
  await signIn(page, vault, 'large');
  const text = Array.from(
    { length: keys },
    (_, index) => `KEY_${String(index).padStart(4, '0')}=v${index}`,
  ).join('\n');
  const status = await page.evaluate(async (body) => {
    const vaultId = location.pathname.split('/')[2];
    const reply = await fetch(`/api/secrets/vaults/${vaultId}/import?env=dev`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'text/plain', 'x-hearth-console': '1' },
    });
    return reply.status;
  }, text);
  expect(status).toBe(200);
  await page.reload();
  await page.getByRole('rowheader', { name: 'KEY_0000' }).waitFor();
}, 120_000);

afterAll(async () => {
  await chromium?.close();
  await vault?.close();
});

const drawnRows = () => page.getByRole('grid').locator('tbody tr:not(.spacer)').count();

describe('a grid of 5,000 keys', () => {
  test('draws only the rows in view, and tells readers how many there are', async () => {
    expect(await drawnRows()).toBeLessThan(60);
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(keys + 1));
    await page.getByText('5,000 keys').waitFor();
  });

  test('reaches its last row by one key, and stays light there', async () => {
    await page.getByRole('rowheader', { name: 'KEY_0000' }).focus();
    await page.keyboard.press('Control+End');
    const last = page.getByRole('row', { name: /KEY_4999/ });
    await last.waitFor();
    expect(await last.getAttribute('aria-rowindex')).toBe(String(keys + 1));
    await page.waitForFunction(() =>
      document.activeElement?.closest('tr')?.textContent?.includes('KEY_4999'),
    );
    expect(await drawnRows()).toBeLessThan(60);
  });

  test('is searched while one types', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('key_123');
    await page.getByText('10 of 5,000 keys').waitFor();
    expect(await drawnRows()).toBe(10);
  });
});
