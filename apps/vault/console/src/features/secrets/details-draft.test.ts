import type { SecretMessage } from '@hearth/protocol-types/vault/secret';
import { describe, expect, test } from '@jest/globals';
import { edgeOfDay } from '../../lib/calendar-days.js';
import { detailsChangeOf, detailsDraftOf } from './details-draft.js';

const secret = {
  key: 'API_KEY',
  path: '/payments/eu/',
  environment: 'dev',
  note: 'signs links',
  tags: ['web', 'auth'],
  expires_at: '2027-03-01T10:00:00.000Z',
} as unknown as SecretMessage;
const opened = detailsDraftOf(secret);

describe('the form about a secret', () => {
  test('asks for nothing where nothing was changed, so that what others changed stays', () => {
    expect(detailsChangeOf(opened, opened)).toEqual({});
    expect(
      detailsChangeOf(opened, {
        ...opened,
        folder: '/payments/eu/',
        note: ' signs links ',
        tags: 'web,auth,',
      }),
    ).toEqual({});
  });

  test('sends each field only when it was changed', () => {
    const change = (part: Partial<typeof opened>) => detailsChangeOf(opened, { ...opened, ...part });
    expect(change({ key: 'TOKEN' })).toEqual({ key: 'TOKEN' });
    expect(change({ folder: '' })).toEqual({ path: '/' });
    expect(change({ environment: 'prod' })).toEqual({ env: 'prod' });
    expect(change({ note: ' ' })).toEqual({ note: null });
    expect(change({ tags: 'web' })).toEqual({ tags: ['web'] });
    expect(change({ lastDay: '2027-04-01' })).toEqual({ expires_at: edgeOfDay('2027-04-01', 'last') });
    expect(change({ lastDay: '' })).toEqual({ expires_at: null });
  });

  test('opens empty fields for what a secret does not have', () => {
    const bare = { ...secret, path: '/', note: null, tags: [], expires_at: null };
    expect(detailsDraftOf(bare)).toEqual({
      key: 'API_KEY',
      folder: '',
      environment: 'dev',
      note: '',
      tags: '',
      lastDay: '',
    });
  });
});
