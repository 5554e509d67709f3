import { expect, test } from '@jest/globals';
import { givenConsole, page, vault } from './given-console.js';
import { holdRequests } from './hold-requests.js';
import { changeElsewhere, importByPaste, openHistory, signIn, vaultIdOf, waitForFocus } from './journeys.js';

givenConsole();

/** Makes a token by the dialog and returns its value. */
async function makeToken(name: string, environments = ''): Promise<string> {
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('button', { name: 'Create token' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create a token' });
  await form.getByLabel('Name').fill(name);
  await form.getByRole('radio', { name: /Read only/ }).check();
  await form.getByLabel('In which environments').fill(environments);
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

test('where changes must say what they replace, everything still works in the console, and a program is told', async () => {
  await signIn(page, vault, 'careful');
  await importByPaste(page, 'API_KEY=one\nOTHER=x');
  await page.getByRole('link', { name: 'Manage vault' }).click();
  const rule = page.getByRole('checkbox', { name: 'A change must say what it replaces' });
  expect(await rule.isChecked()).toBe(false);
  await rule.check();
  await page.getByText('Changes must now say what they replace').waitFor();
  await page.reload();
  await rule.waitFor();
  expect(await rule.isChecked()).toBe(true);
  const address = `/api/secrets/vaults/${vaultIdOf(page)}/secrets/API_KEY?env=dev`;
  expect(await changeElsewhere(page, address, { method: 'PUT', body: { value: 'blind' } })).toBe(428);

  await page.getByRole('link', { name: 'Back to secrets' }).click();
  const cell = page
    .getByRole('row', { name: /API_KEY/ })
    .getByRole('gridcell')
    .first();
  const sheet = page.getByRole('dialog', { name: 'API_KEY' });
  await cell.focus();
  await page.keyboard.press('e');
  await sheet.getByLabel('New value').fill('two');
  await sheet.getByRole('button', { name: 'Save new version' }).click();
  await page.getByText('Saved API_KEY').first().waitFor();
  await sheet.waitFor({ state: 'detached' });

  await cell.focus();
  await page.keyboard.press('h');
  await sheet.getByRole('button', { name: 'Roll back to this' }).first().click();
  await sheet.getByText('Version 1 is current again').waitFor();
  await sheet.getByRole('tab', { name: 'Details' }).click();
  await sheet.getByLabel('Note').fill('why it is here');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.waitFor({ state: 'detached' });
  await page.getByText('why it is here').waitFor();

  await importByPaste(page, 'API_KEY=three\nNEW=1');
  await page.getByRole('rowheader', { name: 'NEW' }).waitFor();
  await cell.focus();
  await page.keyboard.press('Delete');
  await page.getByText('Moved API_KEY (dev) to the trash').waitFor();
  await page.getByRole('link', { name: 'Trash' }).click();
  const trashed = page.getByRole('row', { name: /API_KEY/ });
  await trashed.getByRole('button', { name: 'Destroy' }).click();
  const destroy = page.getByRole('dialog', { name: 'Destroy API_KEY' });
  await destroy.getByRole('textbox').fill('API_KEY');
  await destroy.getByRole('button', { name: 'Destroy' }).click();
  await page.getByText('The trash is empty').waitFor();
  await waitForFocus(page.getByRole('main'));
}, 60_000);

test('a token limited to an environment goes on reaching it under its new name, and the console says so', async () => {
  await signIn(page, vault, 'renaming');
  await importByPaste(page, 'API_KEY=abc', 'staging');
  const token = await makeToken('deploy', 'staging');
  await page.getByRole('link', { name: 'Personal' }).click();
  await page.getByRole('link', { name: 'Manage vault' }).click();
  await page.getByRole('button', { name: 'Rename staging' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename staging' });
  await dialog.getByText('tokens limited to staging go on reaching it').waitFor();
  await dialog.getByLabel('New name').fill('qa');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await page.getByText('The environment is now qa').waitFor();
  const vaultId = vaultIdOf(page);
  const read = (env: string) =>
    fetch(`${vault.url}/api/secrets/vaults/${vaultId}/secrets/API_KEY?env=${env}`, {
      headers: { authorization: `Bearer ${token}` },
    });
  expect((await read('qa')).status).toBe(200);
  expect((await read('staging')).status).toBe(404);
  await page.getByRole('link', { name: 'Tokens' }).click();
  await page
    .getByRole('row', { name: /deploy/ })
    .getByText('in Personal: qa')
    .waitFor();
  await page.getByRole('button', { name: 'Actions for deploy' }).click();
  await page.getByRole('menuitem', { name: 'Rename or narrow' }).click();
  await page.getByText('In Personal environments were renamed since: there it reaches qa.').waitFor();
}, 60_000);

const row = (name: string) => page.getByRole('rowheader', { name, exact: true });

test('a secret is moved to another folder and environment with its history, and never over another', async () => {
  await signIn(page, vault, 'mover');
  await importByPaste(page, 'API_KEY=one');
  await importByPaste(page, 'API_KEY=two');
  await importByPaste(page, 'API_KEY=taken', 'prod');
  const sheet = await openHistory(page, 'API_KEY');
  await sheet.getByRole('tab', { name: 'Details' }).click();
  await sheet.getByLabel('Environment', { exact: true }).selectOption('prod');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.getByText('This key is taken').waitFor();
  await sheet.getByLabel('Environment', { exact: true }).selectOption('staging');
  await sheet.getByLabel('Folder').fill('payments/eu');
  await sheet.getByRole('button', { name: 'Save' }).click();
  await sheet.waitFor({ state: 'detached' });
  await row('payments/eu/ API_KEY').waitFor();
  const moved = page.getByRole('row', { name: /payments/ });
  expect(await moved.getByRole('gridcell', { name: /Missing/ }).count()).toBe(2);
  await moved.getByRole('gridcell').nth(1).focus();
  await page.keyboard.press('h');
  const there = page.getByRole('dialog', { name: 'payments/eu/API_KEY' });
  await there.getByText('Version 1').waitFor();
  await there.getByText('Version 2').waitFor();
}, 60_000);

test('several keys are marked and moved together; what is in the way is named, and nothing is moved then', async () => {
  await signIn(page, vault, 'tidier');
  await importByPaste(page, 'A=1\nB=2\nC=3');
  await importByPaste(page, 'A=1\nB=2', 'prod');
  await row('C').waitFor();
  await page.getByRole('rowheader', { name: 'A' }).focus();
  await page.keyboard.press('x');
  await page.getByText('1 key selected').waitFor();
  await page.getByRole('rowheader', { name: /C$/ }).focus();
  await page.keyboard.press('Space');
  await page.getByText('2 keys selected').waitFor();
  expect(await page.getByRole('row', { selected: true }).count()).toBe(2);
  await page.getByRole('searchbox').fill('c');
  await page.getByText('2 keys selected, 1 not shown here').waitFor();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Move 2 keys' });
  expect(await dialog.getByRole('listitem').allTextContents()).toEqual(['A', 'C']);
  expect(await dialog.getByRole('button', { name: 'Move 0 values' }).isDisabled()).toBe(true);

  await dialog.getByLabel('Which values').selectOption('dev');
  await dialog.getByLabel('To environment').selectOption('prod');
  await dialog.getByRole('button', { name: 'Move 2 values' }).click();
  await dialog.getByText('A (prod)').waitFor();
  expect(await dialog.getByText('C (prod)').count()).toBe(0);
  await dialog.getByRole('alert').getByText('This key is taken').waitFor();

  await dialog.getByLabel('Which values').selectOption('Those of all environments');
  await dialog.getByLabel('To environment').selectOption('Each stays in its own');
  await dialog.getByLabel('To folder').fill('shop');
  await dialog.getByRole('button', { name: 'Move 3 values' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Moved 3 values').waitFor();
  await waitForFocus(page.getByRole('checkbox', { name: 'Select keys' }));
  await page.getByRole('searchbox').fill('');
  await row('shop/ A').waitFor();
  await row('shop/ C').waitFor();
  await row('B').waitFor();
  expect(await page.getByRole('checkbox', { name: 'Select B' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Audit log' }).click();
  const events = page.getByRole('row', { name: /Moved a secret/ });
  await events.first().waitFor();
  expect(await events.count()).toBe(3);
}, 60_000);

test('saving details changes just what was changed here, and nothing that others wrote meanwhile', async () => {
  await signIn(page, vault, 'detailed');
  await importByPaste(page, 'API_KEY=one');
  const address = `/api/secrets/vaults/${vaultIdOf(page)}/secrets/API_KEY?env=dev`;
  const patch = (body: object) =>
    changeElsewhere(page, address, { method: 'PATCH', body, headers: { 'if-match': '"1"' } });
  const end = '2099-03-01T10:00:00.000Z';
  expect(await patch({ expires_at: end, note: 'first', tags: ['first'] })).toBe(200);
  await page.reload();
  await page.getByText('first', { exact: true }).first().waitFor();
  const sheet = await openHistory(page, 'API_KEY');
  await sheet.getByRole('tab', { name: 'Details' }).click();
  expect(await patch({ note: 'theirs', tags: ['theirs'] })).toBe(200);
  await sheet.getByLabel('Folder').fill('shop');
  const [saved] = await Promise.all([
    page.waitForResponse((reply) => reply.request().method() === 'PATCH'),
    sheet.getByRole('button', { name: 'Save' }).click(),
  ]);
  expect(await saved.json()).toMatchObject({
    path: '/shop/',
    note: 'theirs',
    tags: ['theirs'],
    expires_at: end,
  });
  await sheet.waitFor({ state: 'detached' });
  const moved = page.getByRole('rowheader', { name: /shop\/ API_KEY/ });
  await moved.waitFor();

  // Deleted elsewhere: the grid says so too, and what was typed stays with the reason.
  await moved.focus();
  await page.keyboard.press('h');
  const there = page.getByRole('dialog', { name: 'shop/API_KEY' });
  await there.getByRole('tab', { name: 'Details' }).click();
  await there.getByLabel('Note').fill('typed');
  const gone = { method: 'DELETE', headers: { 'if-match': '"1"' } };
  expect(await changeElsewhere(page, `${address}&path=/shop/`, gone)).toBe(204);
  await there.getByRole('button', { name: 'Save' }).click();
  await there.getByText('This is not here any more').waitFor();
  await moved.waitFor({ state: 'detached' });
  expect(await there.getByLabel('Note').inputValue()).toBe('typed');
}, 60_000);

test('a dialog that was cancelled too late says what it did, and closes nothing that was opened since', async () => {
  await signIn(page, vault, 'impatient');
  await importByPaste(page, 'A=1\nB=2');
  const move = await holdRequests(page, '**/move');
  await row('A').focus();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  const moving = page.getByRole('dialog', { name: 'Move 1 key' });
  await moving.getByLabel('To folder').fill('shop');
  await moving.getByRole('button', { name: 'Move 1 value' }).click();
  await move.begun;
  await moving.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('n');
  const adding = page.getByRole('dialog', { name: 'Add a secret' });
  await adding.getByLabel('Key').fill('TYPED');
  move.release();
  await page.getByRole('rowheader', { name: /shop\/ A$/ }).waitFor();
  expect(await adding.getByLabel('Key').inputValue()).toBe('TYPED');
  await page.getByText('Moved 1 value').waitFor();
  await page.keyboard.press('Escape');

  const save = await holdRequests(page, '**/secrets/B?*');
  const cell = (key: string) =>
    page
      .getByRole('row', { name: new RegExp(`\\b${key}\\b`) })
      .getByRole('gridcell')
      .first();
  await cell('B').focus();
  await page.keyboard.press('e');
  await page.getByLabel('New value').fill('two');
  await page.getByRole('button', { name: 'Save new version' }).click();
  await save.begun;
  await page.keyboard.press('Escape');
  await cell('A').focus();
  await page.keyboard.press('e');
  await page.getByLabel('New value').fill('typed');
  save.release();
  await page.getByText('Saved B').waitFor();
  expect(await page.getByRole('dialog').getByLabel('New value').inputValue()).toBe('typed');
}, 60_000);

test('values of one key that would meet in one place are told before the vault is asked, and a refusal at once', async () => {
  await signIn(page, vault, 'merger');
  await importByPaste(page, 'A=1\nK=1');
  await importByPaste(page, 'K=1', 'staging');
  await importByPaste(page, 'A=1', 'prod');
  await page.getByRole('checkbox', { name: 'Select keys' }).check();
  await page.getByRole('button', { name: 'Select all 2' }).click();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Move 2 keys' });
  await dialog.getByLabel('To environment').selectOption('prod');
  await dialog.getByText('K has values in several environments').waitFor();
  expect(await dialog.getByRole('button', { name: 'Move 3 values' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Which values').selectOption('dev');
  const list = await holdRequests(page, /\/secrets$/);
  await dialog.getByRole('button', { name: 'Move 2 values' }).click();
  await dialog.getByRole('alert').getByText('A (prod)').waitFor();
  await dialog.getByLabel('Which values').selectOption('staging');
  await dialog.getByRole('alert').waitFor({ state: 'detached' });
  list.release();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Stop selecting' }).click();
  await waitForFocus(page.getByRole('checkbox', { name: 'Select keys' }));

  // Deleted elsewhere before it is moved: there is nothing left to say yes to, nor a button to go back to.
  await page.getByRole('rowheader', { name: 'K' }).focus();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  const gone = page.getByRole('dialog', { name: 'Nothing left to move' });
  for (const env of ['dev', 'staging']) {
    const address = `/api/secrets/vaults/${vaultIdOf(page)}/secrets/K?env=${env}`;
    const change = { method: 'DELETE', headers: { 'if-match': '"1"' } };
    expect(await changeElsewhere(page, address, change)).toBe(204);
  }
  await page.getByRole('dialog').getByLabel('To folder').fill('shop');
  await page.getByRole('button', { name: 'Move 2 values' }).click();
  await gone.getByText('This is not here any more').waitFor();
  await gone.getByText('The keys that you selected are not here any more.').waitFor();
  await gone.getByRole('button', { name: 'Cancel' }).click();
  await waitForFocus(page.getByRole('main'));
}, 60_000);
