import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eachPart } from './each-part.js';
import { HttpClient } from './http-client.js';

const content = randomBytes(6 * 1024 * 1024);
const client = new HttpClient({ userAgent: 'test', stallMs: 60_000 });
const noRoom = { room: () => undefined, isEnough: () => false };
let server: Server;

afterEach(() => {
  client.close();
  server.closeAllConnections();
  server.close();
});

async function open(answer: RequestListener) {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${port}/`);
  const { body } = await client.send({ url, signal: new AbortController().signal });
  return body;
}

describe('eachPart', () => {
  it.each([
    ['with a length', { 'content-length': content.length }],
    ['in chunks', {}],
  ])('hands over a body %s byte for byte, held back at every part', async (_, headers) => {
    const body = await open((_request, response) => response.writeHead(200, headers).end(content));
    const parts: Buffer[] = [];
    let length = 0;
    const take = (part: Buffer) => {
      parts.push(Buffer.from(part));
      length += part.length;
      return new Promise<void>((resolve) => setImmediate(resolve));
    };
    await eachPart(body, { ...noRoom, take, isEnough: () => length >= content.length });
    body.destroy();
    expect(Buffer.concat(parts).equals(content)).toBe(true);
  });

  it('reads into the room that it is given, byte for byte', async () => {
    const headers = { 'content-length': content.length };
    const body = await open((_request, response) => response.writeHead(200, headers).end(content));
    const memory = Buffer.alloc(content.length + 1);
    let length = 0;
    let inPlace = 0;
    const room = () => memory.subarray(length);
    const take = (part: Buffer) => {
      if (part.buffer === memory.buffer) inPlace += part.length;
      else part.copy(memory, length);
      length += part.length;
      return undefined;
    };
    await eachPart(body, { room, take, isEnough: () => length >= content.length });
    body.destroy();
    expect(memory.subarray(0, length).equals(content)).toBe(true);
    expect(inPlace).toBeGreaterThan(content.length / 2);
  });

  it('stops in the middle when there is enough', async () => {
    const headers = { 'content-length': content.length };
    const body = await open((_request, response) => response.writeHead(200, headers).end(content));
    let length = 0;
    const take = (part: Buffer) => {
      length += part.length;
      return undefined;
    };
    await eachPart(body, { ...noRoom, take, isEnough: () => length >= 1024 });
    body.destroy();
    const taken = length;
    await once(body, 'close');
    expect(length).toBe(taken);
    expect(length).toBeLessThan(content.length);
  });

  it('rejects when the connection is cut, and when a part cannot be taken', async () => {
    const headers = { 'content-length': content.length };
    const cut = await open((request, response) => {
      response
        .writeHead(200, headers)
        .write(content.subarray(0, 1024 * 1024), () => request.socket.destroy());
    });
    await expect(eachPart(cut, { ...noRoom, take: () => undefined })).rejects.toThrow('aborted');
    server.close();
    const body = await open((_request, response) => response.writeHead(200, headers).end(content));
    const refuse = async () => {
      throw new Error('the disk is full');
    };
    await expect(eachPart(body, { ...noRoom, take: refuse })).rejects.toThrow('the disk is full');
    body.destroy();
  });
});
