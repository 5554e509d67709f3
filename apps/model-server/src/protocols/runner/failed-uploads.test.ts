import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { noise } from '../../../test/gguf-bytes.js';
import { ServerProcess } from '../../../test/server-process.js';
import { startLibraryServer } from '../../../test/start-library-server.js';
import { temporaryFolders } from '../../../test/temporary-folder.js';
import { sha256 } from '../../../test/test-registry.js';
import { closeAfterEach } from '../../../test/test-server.js';

const newFolder = temporaryFolders();
const closeLater = closeAfterEach();
const content = noise(4 * 1024 * 1024, 1);

/** Sends the first half, reads the answer, and only then sends the rest. */
async function uploadInHalves(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  closeLater({ close: () => agent.destroy() });
  const address = `${url}/api/blobs/${sha256(content)}`;
  const upload = request(address, { method: 'POST', agent, headers: { 'content-length': content.length } });
  const answer = once(upload, 'response');
  upload.write(content.subarray(0, content.length / 2));
  const [reply] = (await answer) as [IncomingMessage];
  const { error } = JSON.parse(await text(reply)) as { error: string };
  upload.end(content.subarray(content.length / 2));
  await once(upload, 'close');
  const next = request(address, { method: 'HEAD', agent });
  const [head] = (await once(next.end(), 'response')) as [IncomingMessage];
  head.resume();
  await once(head, 'end');
  return { status: reply.statusCode, error, next: head.statusCode, isSameConnection: next.reusedSocket };
}

test('who uploads to a store that may only be read is told so before all is sent, and the connection stays of use', async () => {
  // Nobody may make a folder there, not even root.
  const server = closeLater(await startLibraryServer('/sys/hearth-store'));
  expect(await uploadInHalves(server.url)).toEqual({
    status: 409,
    error: expect.stringContaining('not write to it'),
    next: 404,
    isSameConnection: true,
  });
});

test('who uploads to a disk that fills up on the way is told so, and the connection stays of use', async () => {
  const data = await newFolder();
  const server = closeLater(await ServerProcess.start({ HEARTH_DATA: data }, { largestFileBlocks: 256 }));
  expect(await uploadInHalves(server.url)).toEqual({
    status: 500,
    error: 'the file system of the model store takes no file this large',
    next: 404,
    isSameConnection: true,
  });
});
