import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { ChatHistory } from './chat-history.js';

const newFolder = temporaryFolders();

test('a long history is cut to its newest lines, and stays its owner’s', async () => {
  const file = path.join(await newFolder(), 'chat-history');
  const lines = Array.from({ length: 1200 }, (_, number) => `line ${number}`);
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  const history = new ChatHistory(file);
  expect(history.load()).toEqual(lines.slice(-500).reverse());
  history.add('one more');
  expect(await readFile(file, 'utf8')).toBe(`${[...lines.slice(-500), 'one more'].join('\n')}\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(new ChatHistory(file).load()[0]).toBe('one more');
});
