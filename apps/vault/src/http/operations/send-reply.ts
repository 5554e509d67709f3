import { once } from 'node:events';
import type { Response } from 'express';
import type { Reply } from './operation.js';

export async function sendReply(response: Response, reply: Reply): Promise<void> {
  response.status(reply.status);
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
  const body = JSON.stringify(reply.json);
  if (!response.hasHeader('content-type'))
    response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
}

/** Writes as fast as the client reads, and stops asking for more when it has gone. */
async function sendLines(response: Response, lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) {
    if (response.destroyed) return;
    if (!response.write(line)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}
