import type { Readable } from 'node:stream';

/** Everything that is piped in. */
export async function readText(input: Readable): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of input) parts.push(Buffer.from(part as Buffer));
  return Buffer.concat(parts).toString('utf8');
}
