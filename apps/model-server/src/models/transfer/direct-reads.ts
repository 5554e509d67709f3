import { type Agent, IncomingMessage } from 'node:http';
import type { OnReadOpts } from 'node:net';
import type { Duplex, Readable } from 'node:stream';

/** So much is taken from the system in one read when the receiver has no room of its own; Node's own reads stop at 64 KB. */
const readBytes = 256 * 1024;

/** Takes the parts of a body as they come. */
export interface PartReceiver {
  /** Memory into which the next part may be read, so that it need not be copied; undefined when there is none now. */
  room(): Buffer | undefined;
  /** A part that lies in the room that was given, or in memory that is only lent for this call. */
  receive(part: Buffer): void;
}

const readers = new WeakMap<Duplex, SocketReader>();

/** Reads one socket into memory that is used again and again. */
class SocketReader {
  private readonly memory = Buffer.allocUnsafeSlow(readBytes);
  private socket: Duplex | undefined;
  /** Gets the bytes instead of the HTTP parser. */
  receiver: PartReceiver | undefined;

  readonly onread: OnReadOpts = {
    buffer: () => this.receiver?.room() ?? this.memory,
    callback: (length, { buffer, byteOffset }) => this.pass(Buffer.from(buffer, byteOffset, length)),
  };

  serve(socket: Duplex): void {
    this.socket = socket;
    readers.set(socket, this);
  }

  private pass(part: Buffer): boolean {
    if (!this.receiver) return this.socket?.push(Buffer.from(part)) ?? false;
    this.receiver.receive(part);
    return true;
  }
}

/** Prepares the connections of this agent for `readDirectly`. */
export function allowDirectReads<A extends Agent>(agent: A): A {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const reader = new SocketReader();
    const withReader = { ...options, onread: reader.onread };
    const socket = connect(withReader, callback);
    if (socket) reader.serve(socket);
    return socket;
  };
  return agent;
}

/**
 * Hands the rest of a body over as it comes from the socket, past the HTTP parser, which copies every byte into fresh
 * memory: that costs several times as much as all the rest of a download. Gives back what is to be paused and resumed.
 * The connection cannot serve another request after that.
 */
export function readDirectly(body: Readable, receiver: PartReceiver): Readable {
  const reader = body instanceof IncomingMessage && isPlain(body) ? readers.get(body.socket) : undefined;
  if (!reader || !(body instanceof IncomingMessage)) {
    return body.on('data', (part: Buffer) => receiver.receive(part));
  }
  reader.receiver = receiver;
  return body.socket;
}

/** Whether what follows on the socket is this body, byte for byte. */
function isPlain(body: IncomingMessage): boolean {
  const { headers, complete, socket } = body;
  const isFramedByLength = headers['content-length'] !== undefined && !headers['transfer-encoding'];
  return isFramedByLength && !complete && socket.readableLength === 0;
}
