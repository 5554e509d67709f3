import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolders } from '../../test/temporary-folder.js';
import { findGpu } from './find-gpu.js';

const newFolder = temporaryFolders();

test('a card without its build is told, with the line that installs it', async () => {
  const folder = await newFolder();
  const program = path.join(folder, 'nvidia-smi');
  await writeFile(program, '#!/bin/sh\necho "NVIDIA Example, 24576 MiB"\n');
  await chmod(program, 0o755);
  expect(await findGpu({ PATH: `${folder}:/usr/bin:/bin` })).toEqual({
    name: 'gpu',
    ok: true,
    text: 'NVIDIA Example, 24576 MiB: not used, because no build for it is installed: npm run gpu -- cuda',
  });
});
