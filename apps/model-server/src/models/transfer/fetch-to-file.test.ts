import { createHash, randomFillSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { defaultTuning } from './download-file.js';
import type { DownloadSource } from './download-source.js';
import { fetchToFile } from './fetch-to-file.js';
import { PartialFile } from './partial-file.js';

jest.setTimeout(120_000);

const newFolder = temporaryFolders();
/** Goes three times through the memory that the bytes pass on their way, and ends on an odd byte. */
const content = randomFillSync(Buffer.alloc(50 * 1024 * 1024 + 12_345));

/** Sends the range in parts of these sizes, one after the other and again, and breaks off after so many bytes. */
function sourceOf(
  parts: readonly number[],
  cutAfter = Number.POSITIVE_INFINITY,
  pause?: () => Promise<unknown>,
) {
  const seen = { starts: [] as number[], openNow: 0, mostOpen: 0 };
  async function* bytes(start: number, end: number) {
    let turn = 0;
    for (let at = start; at < end; turn += 1) {
      if (at - start >= cutAfter) throw new Error('cut');
      const upTo = Math.min(end, at + (parts[turn % parts.length] ?? 1));
      yield content.subarray(at, upTo);
      at = upTo;
      await pause?.();
    }
  }
  const source: DownloadSource = {
    open: async ({ start, end }, signal) => {
      seen.starts.push(start);
      seen.openNow += 1;
      seen.mostOpen = Math.max(seen.mostOpen, seen.openNow);
      const body = Readable.from(bytes(start, end), { signal }).once('close', () => {
        seen.openNow -= 1;
      });
      return { body, partial: true, start, totalBytes: content.length };
    },
  };
  return { source, seen };
}

async function fetched(
  source: DownloadSource,
  connections: number,
  partialPath: string,
  signal?: AbortSignal,
) {
  const counts: number[] = [];
  await fetchToFile(
    {
      partialPath,
      sizeBytes: content.length,
      digestHex: createHash('sha256').update(content).digest('hex'),
      tuning: { ...defaultTuning, connections, retries: { ...defaultTuning.retries, firstDelayMs: 1 } },
      mayBlock: true,
    },
    source,
    { signal: signal ?? new AbortController().signal, report: (count) => counts.push(count) },
  );
  return { file: await readFile(PartialFile.dataPath(partialPath)), counts };
}

test.each([
  ['whole pages', [256 * 1024]],
  ['odd sizes', [70_001, 1, 262_143, 4096, 99_999]],
  ['more at once than is taken at once', [3_000_000]],
])('a file that comes in %s is byte for byte right', async (_name, parts) => {
  const { file, counts } = await fetched(sourceOf(parts).source, 1, path.join(await newFolder(), 'x'));
  expect(file.equals(content)).toBe(true);
  expect(counts.at(-1)).toBe(content.length);
});

test('connections that break off at odd bytes are each taken up where they ended', async () => {
  const { source, seen } = sourceOf([100_001], 7_000_000);
  const { file } = await fetched(source, 1, path.join(await newFolder(), 'x'));
  expect(file.equals(content)).toBe(true);
  expect(seen.starts.slice(0, 3)).toEqual([0, 7_000_070, 14_000_140]);
});

test('a connection that turns out slow is joined by others, and all of it is right', async () => {
  const { source, seen } = sourceOf([300_000], undefined, () => wait(5));
  const { file } = await fetched(source, 4, path.join(await newFolder(), 'x'));
  expect(file.equals(content)).toBe(true);
  // One that has ended may still be closing when the next is opened.
  expect(seen.mostOpen).toBeGreaterThanOrEqual(4);
});

test('what was on disk when a download was left is not fetched again', async () => {
  const partialPath = path.join(await newFolder(), 'x');
  const leave = new AbortController();
  let sent = 0;
  const { source } = sourceOf([500_000], undefined, async () => {
    sent += 1;
    if (sent === 50) leave.abort(new Error('left'));
  });
  await expect(fetched(source, 1, partialPath, leave.signal)).rejects.toThrow('left');
  const { source: again, seen } = sourceOf([500_000]);
  expect((await fetched(again, 1, partialPath)).file.equals(content)).toBe(true);
  // A stream of objects reads up to 16 ahead, and these may be lost.
  expect(seen.starts[0]).toBeGreaterThanOrEqual(30 * 500_000);
});
