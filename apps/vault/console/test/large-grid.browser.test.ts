import { beforeAll, describe, expect, test } from '@jest/globals';
import { givenConsole, page, vault } from './given-console.js';
import { changeElsewhere, signIn, vaultIdOf } from './journeys.js';

const keys = 5000;
givenConsole({ browser: { viewport: { width: 1280, height: 800 } }, onePage: true });

beforeAll(async () => {
  await signIn(page, vault, 'large');
  const text = Array.from(
    { length: keys },
    (_, index) => `KEY_${String(index).padStart(4, '0')}=v${index}`,
  ).join('\n');
  const address = `/api/secrets/vaults/${vaultIdOf(page)}/import?env=dev`;
  expect(await changeElsewhere(page, address, { method: 'POST', body: text })).toBe(200);
  await page.reload();
  await page.getByRole('rowheader', { name: 'KEY_0000' }).waitFor();
}, 120_000);

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

  test('says that not all of its keys move at once, and asks the vault for nothing', async () => {
    await page.getByRole('searchbox').fill('');
    await page.getByRole('checkbox', { name: 'Select keys' }).check();
    await page.getByRole('button', { name: 'Select all 5,000' }).click();
    await page.getByText('5,000 keys selected').waitFor();
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 5,000 keys' });
    await dialog.getByText('and 4,995 more').waitFor();
    await dialog.getByLabel('To folder').fill('archive');
    await dialog.getByText('At most 500 values move at once. Choose fewer.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Move 5,000 values' }).isDisabled()).toBe(true);
  });
});
