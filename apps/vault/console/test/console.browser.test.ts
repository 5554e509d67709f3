import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { context, givenConsole, page, vault } from './given-console.js';
import { documentText, importByPaste, openHistory, paste, signIn } from './journeys.js';

givenConsole({ browser: { permissions: ['clipboard-read', 'clipboard-write'] } });

const callWith = (token: string) =>
  fetch(`${vault.url}/api/secrets/vaults`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
const canary = 'canary-7f3a9c-value';

describe('the console', () => {
  test('leads from the first sign-in over a pasted .env to a token in use, rotated and revoked', async () => {
    await signIn(page, vault, 'journey');
    await paste(page, `DATABASE_URL=postgres://db/${canary}\nAPI_KEY="${canary}"\n`);
    const dialog = page.getByRole('dialog', { name: 'Import secrets' });
    await dialog.getByText('2 new').waitFor();
    expect(await documentText(page)).not.toContain(canary);
    await dialog.getByRole('button', { name: 'Import 2 changes' }).click();
    await page.getByRole('rowheader', { name: 'API_KEY' }).waitFor();
    expect(await page.getByRole('gridcell', { name: /Missing/ }).count()).toBe(4);

    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('button', { name: 'Create token' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create a token' });
    await form.getByLabel('Name').fill('ci');
    await form.getByRole('radio', { name: /Read only/ }).check();
    await form.getByRole('radio', { name: '30 days' }).check();
    await form.getByRole('button', { name: 'Create token' }).click();
    const token = await takeToken();
    expect(token).toMatch(/^sk-svc-[0-9A-Za-z]{46}$/);
    const reply = await callWith(token);
    expect(reply.status).toBe(200);
    expect(await reply.json()).toEqual([
      { id: expect.any(String), name: 'Personal', is_encrypted: true, created_at: expect.any(String) },
    ]);

    await page.getByRole('button', { name: 'Actions for ci' }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    const rotate = page.getByRole('dialog', { name: 'Rotate ci' });
    await rotate.getByRole('radio', { name: /no longer/ }).check();
    await rotate.getByRole('button', { name: 'Rotate' }).click();
    const rotated = await takeToken();
    expect((await callWith(token)).status).toBe(401);
    expect((await callWith(rotated)).status).toBe(200);

    await page.getByRole('button', { name: 'Actions for ci' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('ci is revoked').waitFor();
    expect((await callWith(rotated)).status).toBe(401);
    const left = await documentText(page);
    expect(left).not.toContain(token);
    expect(left).not.toContain(rotated);
  }, 60_000);

  test('keeps a value out of the page until it is revealed, and takes it out again', async () => {
    await signIn(page, vault, 'reveal');
    await importByPaste(page, `API_KEY=${canary}`);
    const cell = page
      .getByRole('row', { name: /API_KEY/ })
      .getByRole('gridcell')
      .first();
    await cell.focus();
    expect(await documentText(page)).not.toContain(canary);

    await page.keyboard.press('c');
    await page.getByText('Copied API_KEY (dev)').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(canary);
    expect(await documentText(page)).not.toContain(canary);

    await cell.focus();
    await page.keyboard.press('r');
    await cell.getByText(canary).waitFor();
    await page.keyboard.press('r');
    await cell.getByText('Hidden value').waitFor();
    expect(await documentText(page)).not.toContain(canary);

    await page.keyboard.press('r');
    await cell.getByText(canary).waitFor();
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await cell.getByText('Hidden value').waitFor();
    expect(await documentText(page)).not.toContain(canary);
  }, 60_000);

  test('tells the second of two tabs that the secret has changed, and loses nothing typed', async () => {
    await signIn(page, vault, 'tabs');
    await importByPaste(page, 'SHARED=first');
    const other = await context.newPage();
    await other.goto(page.url());
    const edit = async (tab: Page, value: string) => {
      await tab
        .getByRole('row', { name: /SHARED/ })
        .getByRole('gridcell')
        .first()
        .focus();
      await tab.keyboard.press('e');
      await tab.getByLabel('New value').fill(value);
    };
    await edit(other, 'mine');
    await edit(page, 'theirs');
    await page.getByRole('button', { name: 'Save new version' }).click();
    await page.getByText('Saved SHARED').waitFor();
    await other.getByRole('button', { name: 'Save new version' }).click();
    await other.getByText('Changed elsewhere').waitFor();
    expect(await other.getByLabel('New value').inputValue()).toBe('mine');
    await other.getByRole('button', { name: 'Compare with what is there' }).click();
    await other.getByRole('region', { name: 'Difference' }).getByText('theirs').waitFor();
    await other.getByRole('button', { name: 'Save mine as the newest version' }).click();
    await other.getByText('Saved SHARED').waitFor();

    const sheet = await openHistory(other, 'SHARED');
    await sheet
      .getByRole('listitem')
      .filter({ hasText: 'Version 1' })
      .getByRole('button', { name: 'Roll back to this' })
      .click();
    await sheet.getByText('Version 4').waitFor();
    await sheet.getByRole('tab', { name: 'Value' }).click();
    await sheet.getByRole('button', { name: 'Reveal' }).click();
    await sheet.getByText('first', { exact: true }).waitFor();
  }, 60_000);

  test('can be used by keyboard alone, from sign-in to a secret that is added, found, deleted and undone', async () => {
    await page.goto(`${vault.url}/`);
    await page.getByRole('link', { name: /Continue with GitHub/ }).waitFor();
    await pressUntil('Tab', () => page.getByRole('link', { name: /Continue with GitHub/ }));
    await page.keyboard.press('Enter');
    await page.getByLabel('Another name').waitFor();
    await pressUntil('Tab', () => page.getByLabel('Another name'));
    await page.keyboard.type('keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Personal' }).waitFor();

    await page.keyboard.press('n');
    await page.keyboard.type('QUEUE_URL');
    await page.keyboard.press('Tab');
    await page.keyboard.type('amqp://q');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('rowheader', { name: 'QUEUE_URL' }).waitFor();

    await page.keyboard.press('/');
    await page.keyboard.type('queue');
    await page.keyboard.press('ArrowDown');
    await focusedIs(page.getByRole('rowheader', { name: 'QUEUE_URL' }));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'QUEUE_URL' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Delete');
    await page.getByText('Moved QUEUE_URL (dev) to the trash').waitFor();
    await page.keyboard.press('z');
    await page.getByText('QUEUE_URL is back').waitFor();

    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('audit');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  }, 60_000);

  test('says why a sign-in did not work, and brings people back to the page they wanted', async () => {
    await page.goto(`${vault.url}/secrets/audit`);
    await page.getByRole('link', { name: /Continue with Google/ }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Sign-in cancelled').waitFor();
    await page.goto(`${vault.url}/secrets/audit`);
    await page.getByRole('link', { name: /Continue with Google/ }).click();
    await page.getByRole('button', { name: 'Ada Lovelace' }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.goto(`${vault.url}/secrets`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  }, 60_000);

  test('says in sight when the vault is away, keeps what was typed, and goes on when it is back', async () => {
    await page.setViewportSize({ width: 1024, height: 560 });
    await signIn(page, vault, 'outage');
    // The other pages come by themselves a moment after the first.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/tokens-page')),
    );
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'Add a secret' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Give it a key.').waitFor();
    await focusedIs(dialog.getByLabel('Key'));
    await dialog.getByLabel('Key').fill('KEPT');
    const away = (route: Route) => route.abort();
    await context.route('**/*', away);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const notice = dialog.getByText('The vault cannot be reached');
    await notice.waitFor();
    const box = await notice.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(560);
    expect(await dialog.getByLabel('Key').inputValue()).toBe('KEPT');
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tokens' }).waitFor();
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await context.unroute('**/*', away);
    await retry.click();
    await page.getByText('Make your first token').waitFor();
  }, 60_000);

  test('leads to the sign-in page when the session has ended meanwhile, and shows nothing of before', async () => {
    await signIn(page, vault, 'ended');
    await importByPaste(page, 'LEFT_BEHIND=1');
    await page.getByRole('rowheader', { name: 'LEFT_BEHIND' }).waitFor();
    await context.clearCookies();
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(page.url()).toBe(`${vault.url}/signin?return_to=%2Fsecrets%2Ftokens`);
    expect(await documentText(page)).not.toContain('LEFT_BEHIND');
  }, 60_000);

  test('adds with a generated value to several environments, moves to the trash and back, exports, and audits it all', async () => {
    await signIn(page, vault, 'keeper');
    await page.keyboard.press('n');
    const add = page.getByRole('dialog', { name: 'Add a secret' });
    await add.getByLabel('Key').fill('SIGNING_KEY');
    await add.getByRole('button', { name: 'Generate' }).click();
    await add.getByRole('radio', { name: 'Hex' }).check();
    await add.getByRole('button', { name: 'Use it' }).click();
    const generated = await add.getByLabel('Value').inputValue();
    expect(generated).toMatch(/^[0-9a-f]{64}$/);
    await add.getByLabel('prod').check();
    await add.getByLabel('Note').fill('signs links');
    await add.getByLabel('Tags').fill('web, auth');
    await add.getByRole('button', { name: 'Save' }).click();
    const row = page.getByRole('row', { name: /SIGNING_KEY/ });
    await row.getByText('signs links').waitFor();
    expect(await row.getByText('Missing').count()).toBe(1);
    expect(await documentText(page)).not.toContain(generated);

    await row.getByRole('gridcell').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByLabel('Good until').fill('2020-01-31');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText(/ended \d+ years ago/).waitFor();

    await row.getByRole('gridcell').first().focus();
    await page.keyboard.press('Delete');
    await page.getByText('Moved SIGNING_KEY (dev) to the trash').waitFor();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The trash is empty').waitFor();
    await page.getByRole('link', { name: 'Back to secrets' }).click();

    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByLabel('Format').selectOption('JSON');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('dev.json');
    expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toEqual({ SIGNING_KEY: generated });

    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByLabel('What').selectOption('Exports');
    await page.getByRole('row', { name: /secret\.export/ }).waitFor();
    await page
      .getByRole('row', { name: /secret\.create/ })
      .first()
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Check the chain' }).click();
    await page.getByText(/The chain is whole/).waitFor();
  }, 60_000);
});

async function takeToken(): Promise<string> {
  const once = page.getByRole('dialog', { name: 'Copy your token now' });
  const token = await once.getByRole('region', { name: 'Token' }).locator('code').textContent();
  await page.keyboard.press('Escape');
  await once.getByRole('button', { name: 'I have stored it' }).click();
  await once.waitFor({ state: 'detached' });
  return String(token);
}

type Target = ReturnType<Page['getByRole']>;

async function focusedIs(target: Target): Promise<void> {
  await expect(isFocused(target)).resolves.toBe(true);
}

const isFocused = (target: Target) => target.evaluate((element) => element === document.activeElement);

/** Presses a key until the focus is where it should be; fails when it never gets there. */
async function pressUntil(key: string, target: () => Target, most = 80): Promise<void> {
  for (let press = 0; press < most; press += 1) {
    if (await isFocused(target())) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${most} times ${key} did not reach it`);
}
