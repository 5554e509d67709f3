import { expect, test } from '@jest/globals';
import { mintToken } from '../crypto/api-token.js';
import { cleanReport } from './clean-report.js';

const token = mintToken().value;
const clean = (parts: Partial<Parameters<typeof cleanReport>[1]>) =>
  cleanReport(token, { url: '', type: '', source: '', ...parts });

test('keeps the address of a file, with its line', () => {
  const url = 'https://github.com/octo/app/blob/0123456789abcdef0123456789abcdef01234567/.env?plain=1#L3';
  expect(clean({ url, type: 'hearth_token', source: 'content' })).toEqual({
    url,
    type: 'hearth_token',
    source: 'content',
  });
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'not an address', ''])(
  'leaves out what is no address of the web: %s',
  (url) => {
    expect(clean({ url }).url).toBeNull();
  },
);

test('takes a login out of an address, and writes every foreign sign as ASCII', () => {
  const { url } = clean({ url: 'https://ada:hunter2@paste.example/ü\u202e?x=\u0007' });
  expect(url).toMatch(/^https:\/\/paste\.example\/[\x21-\x7e]*$/);
});

const body = token.slice('sk-svc-'.length);
test.each([
  ['in the path', `https://paste.example/${token}/raw`],
  ['in the query', `https://paste.example/?q=${token}`],
  ['behind the #', `https://paste.example/#${token}`],
  ['without its prefix', `https://paste.example/?q=${body}`],
  ['escaped', `https://paste.example/${token.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`],
  ['where the address is cut', `https://paste.example/${'a'.repeat(470)}${token}`],
])('never keeps the token: %s', (_where, url) => {
  const kept = JSON.stringify(clean({ url, type: token, source: `x ${body} y` }));
  expect(decodeURIComponent(kept)).not.toContain(body.slice(0, 12));
  expect(clean({ url }).url).toMatch(/^https:\/\/paste\.example\//);
});

test('cuts what is too long', () => {
  const report = clean({ url: `https://paste.example/${'a'.repeat(5000)}`, type: 't'.repeat(5000) });
  expect(report.url).toHaveLength(500);
  expect(report.type).toHaveLength(100);
});
