import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const folder = new URL('../../../models/ember/', import.meta.url);

test('the bundled model is the file that its card describes', () => {
  const card = readFileSync(new URL('MODEL_CARD.md', folder), 'utf8');
  const model = readFileSync(new URL('ember.gguf', folder));
  const checksum = /sha256 ([0-9a-f]{64})/.exec(card)?.[1];
  expect(createHash('sha256').update(model).digest('hex')).toBe(checksum);
  expect(card).toContain(model.length.toLocaleString('en-US'));
});
