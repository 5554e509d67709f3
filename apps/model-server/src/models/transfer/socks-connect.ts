import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { proxyLogin } from './proxy-rules.js';
import { TransferError } from './transfer-error.js';

const version = 5;
const noLogin = 0;
const byPassword = 2;
const domainName = 3;
/** How long the address is that a reply ends with, by its kind; a name says its length itself. */
const addressBytes: Readonly<Record<number, number>> = { 1: 4, 4: 16 };

/** What the proxy says when it cannot reach the host (RFC 1928), and whether asking again can help. */
const refusals: Readonly<Record<number, readonly [reason: string, retryable: boolean]>> = {
  1: ['it failed', true],
  2: ['its rules do not allow it', false],
  3: ['the network cannot be reached', true],
  4: ['the host cannot be reached', true],
  5: ['the connection was refused', true],
  6: ['the connection timed out', true],
  7: ['it knows no connections', false],
  8: ['it does not know this kind of address', false],
};

/**
 * A connection to a host through a SOCKS5 proxy. The host goes to the proxy by its name, which may be known there and
 * not here, and so that nobody on the way learns it from a look-up.
 */
export async function socksConnect(
  proxy: URL,
  target: { readonly host: string; readonly port: number },
  stallMs: number,
): Promise<Socket> {
  const socket = connect(Number(proxy.port || 1080), proxy.hostname.replace(/^\[|\]$/g, ''));
  socket.setTimeout(stallMs, () => socket.destroy(new Error('it does not answer')));
  // Whoever waits for the next byte meets it.
  socket.on('error', ignore);
  try {
    await once(socket, 'connect');
    await logIn(socket, proxy);
    await ask(socket, proxy, target);
    return socket.setTimeout(0).removeAllListeners('timeout').off('error', ignore);
  } catch (error) {
    socket.destroy();
    if (error instanceof TransferError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new TransferError(`cannot use the proxy ${proxy.host}: ${reason}`, {
      retryable: true,
      cause: error,
    });
  }
}

async function logIn(socket: Socket, proxy: URL): Promise<void> {
  const login = proxyLogin(proxy);
  const methods = login ? [noLogin, byPassword] : [noLogin];
  socket.write(Buffer.from([version, methods.length, ...methods]));
  const [spoken, method] = await readExactly(socket, 2);
  if (spoken !== version) throw refused(proxy, 'it does not speak SOCKS5');
  if (method === noLogin) return;
  if (method !== byPassword || !login) throw refused(proxy, 'it wants a login of another kind');
  // RFC 1929
  socket.write(Buffer.concat([Buffer.from([1]), withLength(login.user), withLength(login.password)]));
  const [, outcome] = await readExactly(socket, 2);
  if (outcome !== 0) throw refused(proxy, 'it does not accept the login');
}

async function ask(
  socket: Socket,
  proxy: URL,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  const portBytes = Buffer.from([port >> 8, port & 0xff]);
  const head = Buffer.from([version, 1, 0, domainName]);
  socket.write(Buffer.concat([head, withLength(host), portBytes]));
  const [, outcome = 1, , kind = 0] = await readExactly(socket, 4);
  if (outcome !== 0) {
    const [reason, retryable] = refusals[outcome] ?? [`it answered ${outcome}`, true];
    throw new TransferError(`the proxy ${proxy.host} cannot reach ${host}: ${reason}`, { retryable });
  }
  const length = addressBytes[kind] ?? (await readExactly(socket, 1))[0] ?? 0;
  await readExactly(socket, length + portBytes.length);
}

function refused(proxy: URL, reason: string): TransferError {
  return new TransferError(`cannot use the proxy ${proxy.host}: ${reason}`, { retryable: false });
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error('a name or password is too long for it');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** Byte by byte: what comes after the answer is not ours to take. */
async function readExactly(socket: Socket, length: number): Promise<readonly number[]> {
  const bytes: number[] = [];
  while (bytes.length < length) {
    const byte = socket.read(1) as Buffer | null;
    if (byte) bytes.push(...byte);
    else await moreFrom(socket);
  }
  return bytes;
}

async function moreFrom(socket: Socket): Promise<void> {
  if (socket.errored) throw socket.errored;
  if (socket.readableEnded || socket.destroyed) throw new Error('it hung up');
  await new Promise<void>((resolve) => {
    const events = ['readable', 'end', 'close'];
    const wake = () => {
      for (const event of events) socket.off(event, wake);
      resolve();
    };
    for (const event of events) socket.on(event, wake);
  });
}

function ignore(): void {}
