import { type FileHandle, open, readFile } from 'node:fs/promises';

export const chunkBytes = 1024 * 1024;

const magic = 'HEARTHD1';
const headerBytes = 16;

/**
 * What of a download is on disk: one bit of truth for each megabyte. A chunk's number is appended after its bytes are
 * written, so whatever the process dies of, the file never claims more than there is; a number cut in half at the
 * end of the file is ignored.
 */
export class ChunkJournal {
  private readonly waiting: number[] = [];
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly file: FileHandle,
    readonly chunkCount: number,
    readonly done: Uint8Array,
  ) {}

  /** Opens the journal of a file of this size; one that belongs to another size is begun anew. */
  static async open(path: string, sizeBytes: number): Promise<ChunkJournal> {
    const file = await open(path, 'a+');
    const content = await file.readFile();
    const done = new Uint8Array(Math.ceil(sizeBytes / chunkBytes));
    const end = recall(content, sizeBytes, done);
    if (end !== content.length) await file.truncate(end);
    if (end === 0) await file.appendFile(headerOf(sizeBytes));
    return new ChunkJournal(file, done.length, done);
  }

  /** What the journal says, without a change to it: another process may be writing it. */
  static async read(path: string, sizeBytes: number): Promise<Uint8Array> {
    const done = new Uint8Array(Math.ceil(sizeBytes / chunkBytes));
    recall(await readFile(path), sizeBytes, done);
    return done;
  }

  /** The numbers that come while others are being written go together with the next ones. */
  async add(chunks: readonly number[]): Promise<void> {
    for (const chunk of chunks) this.done[chunk] = 1;
    this.waiting.push(...chunks);
    this.writing = this.writing.then(() => this.writeWaiting());
    await this.writing;
  }

  private async writeWaiting(): Promise<void> {
    const chunks = this.waiting.splice(0);
    if (chunks.length === 0) return;
    const record = Buffer.alloc(chunks.length * 4);
    for (const [position, chunk] of chunks.entries()) record.writeUInt32LE(chunk, position * 4);
    await this.file.write(record);
  }

  /** Nothing on disk counts any more. */
  async forget(): Promise<void> {
    await this.writing;
    this.done.fill(0);
    await this.file.truncate(headerBytes);
  }

  async close(): Promise<void> {
    await this.writing.catch(() => undefined);
    await this.file.close();
  }
}

function headerOf(sizeBytes: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write(magic, 'latin1');
  header.writeBigUInt64LE(BigInt(sizeBytes), 8);
  return header;
}

/** Marks the chunks that the journal names, and says up to which byte it can be used. */
function recall(content: Buffer, sizeBytes: number, done: Uint8Array): number {
  if (!content.subarray(0, headerBytes).equals(headerOf(sizeBytes))) return 0;
  const records = Math.floor((content.length - headerBytes) / 4);
  for (let record = 0; record < records; record += 1) {
    const chunk = content.readUInt32LE(headerBytes + record * 4);
    if (chunk < done.length) done[chunk] = 1;
  }
  return headerBytes + records * 4;
}
