import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { StoreFolder } from '../store/store-folder.js';
import { RegistryIdentity } from './registry-identity.js';

const newFolder = temporaryFolders();

test('a key that could not be read is read again the next time, and then stays the same', async () => {
  const folder = new StoreFolder(await newFolder());
  const file = path.join(folder.own, 'registry-key.pem');
  await mkdir(folder.own);
  await writeFile(file, 'broken');
  const identity = new RegistryIdentity(folder);
  await expect(identity.publicKeyLine()).rejects.toThrow();
  await rm(file);
  const line = await identity.publicKeyLine();
  expect(line).toMatch(/^ssh-ed25519 /);
  expect(await new RegistryIdentity(folder).publicKeyLine()).toBe(line);
});
