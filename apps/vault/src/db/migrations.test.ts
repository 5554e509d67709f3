import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { migrationsFolder, readMigrations } from './migrations.js';

// Databases in use have run these files. To change the schema, add a file and its line: `sha256sum *.sql`.
test('no migration is edited once it is listed, and none is missing from the list', async () => {
  const listed = (await readFile(new URL('checksums.txt', migrationsFolder), 'utf8')).trim().split('\n');
  const present = (await readMigrations()).map(({ name, checksum }) => `${checksum}  ${name}`);
  expect(present).toEqual(listed);
});

test('migrations are numbered in order without gaps', async () => {
  const numbers = (await readMigrations()).map(({ name }) =>
    Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]),
  );
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});
