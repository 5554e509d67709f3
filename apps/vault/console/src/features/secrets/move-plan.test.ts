import type { SecretMessage } from '@hearth/protocol-types/vault/secret';
import { expect, test } from '@jest/globals';
import { planMove, sharedFolder } from './move-plan.js';
import { toRows } from './secret-rows.js';

const secret = (key: string, environment: string, path = '/') =>
  ({
    id: `${environment}${path}${key}`,
    key,
    environment,
    path,
    version: 1,
    tags: [],
    note: null,
  }) as unknown as SecretMessage;
const rows = toRows([secret('A', 'dev'), secret('A', 'prod'), secret('B', 'dev')]);
const mixed = toRows([secret('A', 'dev', '/x/'), secret('B', 'dev')]);
const ids = ({ secrets }: ReturnType<typeof planMove>) => secrets.map(({ id }) => id).sort();

test('a folder takes every value of the keys along, each in its environment', () => {
  const plan = planMove(rows, { from: '', env: '', folder: 'payments/eu' });
  expect(plan.to).toEqual({ path: '/payments/eu/' });
  expect(ids(plan)).toEqual(['dev/A', 'dev/B', 'prod/A']);
});

test('only the values of one environment go where that is wanted', () => {
  const plan = planMove(rows, { from: 'dev', env: 'staging', folder: '' });
  expect(plan.to).toEqual({ env: 'staging' });
  expect(ids(plan)).toEqual(['dev/A', 'dev/B']);
});

test('what is there already is not moved, and nothing to do is nothing', () => {
  expect(ids(planMove(rows, { from: '', env: 'prod', folder: '' }))).toEqual(['dev/A', 'dev/B']);
  expect(planMove(rows, { from: '', env: '', folder: ' ' })).toEqual({
    secrets: [],
    to: {},
    clash: undefined,
  });
});

test('keys of several folders stay in theirs unless one is named; / is the top', () => {
  expect(sharedFolder(mixed)).toBeUndefined();
  expect(sharedFolder(rows)).toBe('');
  expect(planMove(mixed, { from: '', env: 'prod', folder: '' }).to).toEqual({ env: 'prod' });
  const top = planMove(mixed, { from: '', env: '', folder: '/' });
  expect(top.to).toEqual({ path: '/' });
  expect(ids(top)).toEqual(['dev/x/A']);
});

test('values of one key that would meet in one place are found, and why they meet', () => {
  const several = toRows([secret('A', 'dev'), secret('K', 'dev'), secret('K', 'staging')]);
  expect(planMove(several, { from: '', env: 'prod', folder: '' }).clash).toEqual({
    key: 'K',
    of: 'environments',
  });
  expect(planMove(several, { from: 'dev', env: 'prod', folder: '' }).clash).toBeUndefined();
  expect(planMove(several, { from: '', env: '', folder: 'shop' }).clash).toBeUndefined();
  const twice = toRows([secret('K', 'dev', '/x/'), secret('K', 'dev', '/y/')]);
  expect(planMove(twice, { from: '', env: '', folder: 'shop' }).clash).toEqual({ key: 'K', of: 'folders' });
  expect(planMove(twice, { from: '', env: 'prod', folder: '' }).clash).toBeUndefined();
});
