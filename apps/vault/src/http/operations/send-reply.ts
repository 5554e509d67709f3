import { once } from 'node:events';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Response } from 'express';
import type { Reply } from './operation.js';

export async function sendReply(response: Response, reply: Reply): Promise<void> {
  response.statusCode = reply.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  if (reply.lines !== undefined) return sendLines(response, reply.lines);
  if (reply.text !== undefined) {
    response.end(reply.text);
    return;
  }
  if (reply.json === undefined) {
    response.end();
    return;
  }
  if (!response.hasHeader('content-type'))
    response.setHeader('content-type', 'application/json; charset=utf-8');
  const json = JSON.stringify(reply.json);
  const body = reply.holdsNoSecret === true ? await compressed(response, json) : json;
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}

const compress = promisify(gzip);
const worthCompressing = 4096;

/**
 * Only for replies without a secret. The size of a compressed reply tells how much its parts resemble each other: were a
 * value or a token in it, whoever can write a note or a name beside it could guess it piece by piece (BREACH).
 */
async function compressed(response: Response, json: string): Promise<Buffer | string> {
  response.vary('accept-encoding');
  if (json.length < worthCompressing || response.req.acceptsEncodings('gzip') !== 'gzip') return json;
  response.setHeader('content-encoding', 'gzip');
  // The lowest level takes a list of 5,000 names to an eighth; higher ones cost several times as much for little.
  return compress(json, { level: 1 });
}

/** Writes as fast as the client reads, and stops asking for more when it has gone. */
async function sendLines(response: Response, lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) {
    if (response.destroyed) return;
    if (!response.write(line)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}
