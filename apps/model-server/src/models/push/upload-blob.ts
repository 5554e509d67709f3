import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { RegistrySession } from '../registry/registry-session.js';
import type { Digest } from '../store/digest.js';
import type { HttpReply } from '../transfer/http-client.js';
import { namedAddress } from '../transfer/named-address.js';
import { errorForStatus, TransferError } from '../transfer/transfer-error.js';

const partBytes = 64 * 1024 * 1024;

export interface Upload {
  readonly session: RegistrySession;
  readonly path: string;
  readonly digest: Digest;
  readonly sizeBytes: number;
  readonly signal: AbortSignal;
  readonly onProgress: (completedBytes: number) => void;
}

/**
 * Sends one blob in parts. The registry takes a part itself, or names an address of its storage for it; the storage
 * gets the bytes and no credentials.
 */
export async function uploadBlob(upload: Upload): Promise<void> {
  const { session, digest, sizeBytes, signal } = upload;
  const begun = await session.request({ path: 'blobs/uploads/', method: 'POST', signal });
  begun.body.resume();
  if (begun.status === 201) return;
  if (begun.status !== 202) throw errorForStatus(begun.status, begun.headers, `upload to ${session.host}`);
  let location = locationOf(begun);
  const partHashes: Buffer[] = [];
  for (let start = 0; start < sizeBytes; start += partBytes) {
    const end = Math.min(start + partBytes, sizeBytes);
    const sent = await sendPart(upload, location, start, end);
    partHashes.push(sent.md5);
    location = sent.next ?? location;
    upload.onProgress(end);
  }
  location.searchParams.set('digest', digest);
  // The runner's own registry checks the parts that went to its storage by this sum of their sums.
  const sum = createHash('md5').update(Buffer.concat(partHashes)).digest('hex');
  location.searchParams.set('etag', `${sum}-${partHashes.length}`);
  const done = await session.request({
    path: location,
    method: 'PUT',
    headers: { 'content-length': '0', 'content-type': 'application/octet-stream' },
    signal,
  });
  done.body.resume();
  if (done.status >= 300) throw errorForStatus(done.status, done.headers, `upload to ${session.host}`);
}

async function sendPart(upload: Upload, location: URL, start: number, end: number) {
  const { session, path, signal } = upload;
  let hash = createHash('md5');
  const content = () => {
    // Begun anew with each attempt: the registry may turn the first one away before it has read all of it.
    const own = createHash('md5');
    hash = own;
    let sent = start;
    const stream = createReadStream(path, { start, end: end - 1, highWaterMark: 256 * 1024 });
    stream.on('data', (part) => {
      own.update(part);
      sent += part.length;
      upload.onProgress(sent);
    });
    return stream;
  };
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': String(end - start),
  };
  const reply = await session.request({
    path: location,
    method: 'PATCH',
    headers: { ...headers, 'content-range': `${start}-${end - 1}`, 'x-redirect-uploads': '1' },
    body: content,
    followRedirects: false,
    signal,
  });
  reply.body.resume();
  const next = reply.headers['docker-upload-location'] ?? reply.headers.location;
  if (reply.status === 307) {
    const storage = await session.request({
      path: locationOf(reply),
      method: 'PUT',
      headers,
      body: content,
      signal,
    });
    storage.body.resume();
    if (storage.status >= 300) throw errorForStatus(storage.status, storage.headers, 'upload to storage');
    return { md5: hash.digest(), next: undefined };
  }
  if (reply.status >= 300) throw errorForStatus(reply.status, reply.headers, `upload to ${session.host}`);
  return {
    md5: hash.digest(),
    next: typeof next === 'string' ? namedAddress(next, reply.url) : undefined,
  };
}

function locationOf(reply: HttpReply): URL {
  const { location } = reply.headers;
  if (location !== undefined) return namedAddress(location, reply.url);
  throw new TransferError(`${reply.url.host} gave no address to upload to`, { retryable: false });
}
