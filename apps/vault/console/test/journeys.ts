import type { Locator, Page } from 'playwright-core';
import type { TestVault } from '../../test/start-test-vault.js';

/** Signs in as a person would, by the buttons, and waits for the grid's page. */
export async function signIn(page: Page, vault: Pick<TestVault, 'url'>, login: string): Promise<void> {
  await page.goto(`${vault.url}/`);
  await page.getByRole('link', { name: /Continue with GitHub/ }).click();
  await page.getByLabel('Another name').fill(login);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Personal' }).waitFor();
}

/** Pastes text where the focus is, as Ctrl+V would. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, text);
}

/** Imports a .env text by pasting it on the grid. */
export async function importByPaste(page: Page, text: string, environment = 'dev'): Promise<void> {
  await paste(page, text);
  const dialog = page.getByRole('dialog', { name: 'Import secrets' });
  await dialog.getByLabel('Into environment').selectOption(environment);
  await dialog.getByRole('button', { name: /^Import \d+ change/ }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Waits until the keyboard is there. */
export const waitForFocus = (target: Locator): Promise<void> =>
  target.and(target.page().locator(':focus')).waitFor();

/** The vault that is on the screen, by its id. */
export const vaultIdOf = (page: Page): string => new URL(page.url()).pathname.split('/')[2] ?? '';

export interface Change {
  readonly method: string;
  /** An object goes as JSON, a string as plain text. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The same person elsewhere: a change that the page knows nothing of. Returns the status of the answer. */
export function changeElsewhere(page: Page, path: string, change: Change): Promise<number> {
  return page.evaluate(
    async ([url, { method, body, headers }]) => {
      const isText = typeof body === 'string';
      const type = body === undefined ? {} : { 'content-type': isText ? 'text/plain' : 'application/json' };
      const reply = await fetch(url, {
        method,
        headers: { 'x-hearth-console': '1', ...type, ...headers },
        ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      });
      return reply.status;
    },
    [path, change] as const,
  );
}

/** The whole document as text, with the values that fields hold: all that could be read off the page. */
export function documentText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea')].map(
      (field) => (field as HTMLInputElement).value,
    );
    const stored = JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]);
    return [document.documentElement.outerHTML, ...fields, stored, location.href, document.title].join('\n');
  });
}

/** Opens the sheet of a key, of its first environment, at its history. */
export async function openHistory(page: Page, key: string): Promise<Locator> {
  await page.getByRole('row', { name: key }).getByRole('gridcell').first().focus();
  await page.keyboard.press('h');
  return page.getByRole('dialog', { name: key });
}
