import { expect, test } from '@jest/globals';
import type { Response } from 'express';
import { createCookies } from './cookies.js';

function written(publicUrl: string): string {
  let line = '';
  const response = {
    append: (_name: string, value: string) => {
      line = value;
    },
  } as unknown as Response;
  const cookies = createCookies(publicUrl);
  cookies.set(response, cookies.names.session, 'value', 60);
  return line;
}

test('over https a cookie is bound to this very host and never leaves by plain http', () => {
  expect(written('https://vault.example.com')).toBe(
    '__Host-hearth=value; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
});

test('over plain http on this machine the prefix that browsers would refuse is left out', () => {
  expect(written('http://127.0.0.1:3000')).toBe('hearth=value; Max-Age=60; Path=/; HttpOnly; SameSite=Lax');
});
