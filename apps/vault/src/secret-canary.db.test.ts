import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../test/api.js';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
}, 60_000);

afterAll(() => api.close());

const canary = 'cAnArY-7f3a91-hunter2-Zz9';
const token = () => Buffer.from(canary);
const disguises = [
  canary,
  JSON.stringify(canary).slice(1, -1),
  token().toString('base64').replace(/=+$/, ''),
  token().toString('base64url'),
  token().toString('hex'),
  createHash('sha1').update(canary).digest('hex'),
  createHash('sha1').update(canary).digest('base64').slice(0, 27),
  createHash('sha256').update(canary).digest('hex'),
  createHash('sha256').update(canary).digest('base64').slice(0, 43),
];

/** Every row of every table as text, bytes as hexadecimal. */
async function everythingStored(): Promise<string> {
  const tables = await api.database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  let text = '';
  for (const { name } of tables.rows) {
    const { rows } = await api.database.pool.query<{ row: string }>(`select t::text as row from "${name}" t`);
    text += rows.map(({ row }) => row).join('\n');
  }
  return text;
}

test('a secret that went through every door is nowhere but in the answers that gave it', async () => {
  const ada = await api.user();
  const secret = `${ada.vaultPath}/secrets/KEY?env=dev`;
  const answers: string[] = [];
  const quiet: { text: string; headers: Headers }[] = [];
  const call = async (...args: Parameters<typeof ada.session>) => {
    const reply = await ada.session(...args);
    quiet.push(reply);
    return reply;
  };
  await call('PUT', secret, { body: { value: canary } });
  await call('PUT', secret, { body: { value: `${canary}!` }, headers: { 'if-match': '"9"' } });
  await call('PUT', `${ada.vaultPath}/secrets/bad-name?env=dev`, { body: { value: canary } });
  await call('PUT', secret, {
    body: `{"value":"${canary}"`,
    headers: { 'content-type': 'application/json' },
  });
  await call('PUT', secret, { body: { value: canary, encoding: 'base64' } });
  await call('PUT', secret, { body: { value: [canary] } });
  await call('PUT', `${ada.vaultPath}/secrets/NUL?env=dev`, { body: { value: `${canary}\0` } });
  await call('PUT', `${ada.vaultPath}/secrets/OTHER?env=dev`, {
    body: { value: 'x', tags: ['x'] },
    headers: { 'if-match': canary },
  });
  await call('POST', `${ada.vaultPath}/import?env=dev`, {
    body: `A=${canary}\n${canary}\nB-C=${canary}\nD="${canary}`,
    headers: { 'content-type': 'text/plain' },
  });
  await call('POST', `${ada.vaultPath}/import?env=prod`, {
    body: `A=${canary}\n`,
    headers: { 'content-type': 'text/plain', 'idempotency-key': 'canary-import' },
  });
  await call('POST', `${ada.vaultPath}/batch`, {
    body: { operations: [{ op: 'put', env: 'dev', key: 'BATCHED', value: canary }] },
    headers: { 'idempotency-key': 'canary-batch' },
  });
  await call('POST', `${ada.vaultPath}/batch`, {
    body: { operations: [{ op: 'put', env: 'dev', key: 'BATCHED', value: canary, if_version: 99 }] },
  });
  await call('PUT', `${secret}&token=${canary}`, { body: { value: canary } });
  await call('POST', `${ada.vaultPath}/secrets/KEY/rollback?env=dev`, { body: { version: 1 } });
  await api.database.pool.query('alter table secret_versions rename to away');
  await call('PUT', secret, { body: { value: `${canary}2` } });
  await api.database.pool.query('alter table away rename to secret_versions');

  for (const path of [secret, `${ada.vaultPath}/secrets?include=values`, `${ada.vaultPath}/export?env=dev`]) {
    const reply = await ada.session('GET', path);
    answers.push(reply.text);
    quiet.push({ text: '', headers: reply.headers });
  }
  for (const answer of answers) expect(answer).toContain(canary);

  const places = {
    log: api.logText(),
    database: await everythingStored(),
    answers: quiet.map(({ text }) => text).join('\n'),
    headers: quiet.map(({ headers }) => JSON.stringify([...headers])).join('\n'),
  };
  expect(places.log.length).toBeGreaterThan(1000);
  expect(places.database).toContain('BATCHED');
  for (const [place, text] of Object.entries(places)) {
    for (const disguise of disguises)
      expect([place, disguise, text.includes(disguise)]).toEqual([place, disguise, false]);
  }
});
