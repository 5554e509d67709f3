/** Values of a GGUF header to write: text, numbers (uint32, or float32 if not whole), lists of them, yes or no. */
export type HeaderValue = string | number | boolean | readonly string[] | readonly number[];

export interface TensorToWrite {
  readonly name: string;
  readonly shape: readonly number[];
  /** Noise if left out. */
  readonly values?: Float32Array;
}

export interface GgufToWrite {
  readonly version?: number;
  readonly metadata?: Readonly<Record<string, HeaderValue>>;
  /** Tensors of 32-bit floats. */
  readonly tensors?: readonly TensorToWrite[];
}

export const tinyModel: GgufToWrite = {
  metadata: {
    'general.architecture': 'llama',
    'general.name': 'tiny',
    'general.file_type': 15,
    'general.license': 'apache-2.0',
    'llama.context_length': 4096,
    'llama.embedding_length': 64,
    'tokenizer.ggml.tokens': ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    'tokenizer.chat_template': '{% for message in messages %}{{ message.content }}{% endfor %}{{ tools }}',
  },
  tensors: [
    { name: 'token_embd.weight', shape: [64, 100] },
    { name: 'output.weight', shape: [64, 100] },
  ],
};

/** A whole GGUF file, small but sound, for tests that need bytes rather than a model that can talk. */
export function ggufBytes(file: GgufToWrite = tinyModel): Buffer {
  const metadata = Object.entries(file.metadata ?? {});
  const tensors = file.tensors ?? [];
  let offset = 0;
  const infos = tensors.map(({ name, shape }) => {
    const info = Buffer.concat([
      text(name),
      uint32(shape.length),
      ...shape.map(uint64),
      uint32(0),
      uint64(offset),
    ]);
    offset += shape.reduce((product, length) => product * length, 1) * 4;
    return info;
  });
  const header = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(file.version ?? 3),
    uint64(tensors.length),
    uint64(metadata.length),
    ...metadata.map(([key, value]) => Buffer.concat([text(key), typed(value)])),
    ...infos,
  ]);
  if (tensors.length === 0) return header;
  const padding = (32 - (header.length % 32)) % 32;
  const written = noise(offset, header.length);
  let start = 0;
  for (const { shape, values } of tensors) {
    if (values) written.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), start);
    start += shape.reduce((product, length) => product * length, 1) * 4;
  }
  return Buffer.concat([header, Buffer.alloc(padding), written]);
}

/** Bytes that repeat nowhere, so that a part written in the wrong place is seen; the same for the same seed. */
export function noise(length: number, seed: number): Buffer {
  const words = new Uint32Array(Math.ceil(length / 4));
  let state = seed | 1;
  for (let index = 0; index < words.length; index += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  return Buffer.from(words.buffer, 0, length);
}

/** A sound GGUF file of about this many megabytes. */
export function largeGgufBytes(megabytes: number): Buffer {
  return ggufBytes({ ...tinyModel, tensors: [{ name: 'output.weight', shape: [1024, 256 * megabytes] }] });
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function uint64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

export function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function typed(value: HeaderValue): Buffer {
  if (typeof value === 'string') return Buffer.concat([uint32(8), text(value)]);
  if (typeof value === 'number') {
    return Number.isInteger(value)
      ? Buffer.concat([uint32(4), uint32(value)])
      : Buffer.concat([uint32(6), Buffer.from(Float32Array.of(value).buffer)]);
  }
  if (typeof value === 'boolean') return Buffer.concat([uint32(7), Buffer.from([value ? 1 : 0])]);
  if (isNumbers(value)) {
    const whole = value.every(Number.isInteger);
    const items = whole ? Int32Array.from(value) : Float32Array.from(value);
    return Buffer.concat([uint32(9), uint32(whole ? 5 : 6), uint64(value.length), Buffer.from(items.buffer)]);
  }
  return Buffer.concat([uint32(9), uint32(8), uint64(value.length), ...value.map(text)]);
}

function isNumbers(value: readonly string[] | readonly number[]): value is readonly number[] {
  return typeof value[0] === 'number';
}
