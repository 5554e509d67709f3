import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';

// Writes a GGUF of any shape with random weights: speed does not depend on their values. The vocabulary and the chat
// template are copied from the bundled model, so that every server can chat with it.

const alignment = 32;
const types = { F32: 0, Q4_0: 2, Q8_0: 8 };
const bytesPerBlock = { Q4_0: 18, Q8_0: 34 };
const scalarSizes = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };

/** @param {{ from: string, to: string, shape: { width: number, layers: number, heads: number, kvHeads: number, feedForward: number, context: number }, quant?: 'Q4_0' | 'Q8_0' }} options */
export async function makeRandomGguf({ from, to, shape, quant = 'Q4_0' }) {
  const { entries, vocabularySize } = readMetadata(await readFile(from));
  const headSize = shape.width / shape.heads;
  const metadata = [
    text('general.architecture', 'llama'),
    text('general.name', 'random weights for measuring speed'),
    number('general.file_type', quant === 'Q4_0' ? 2 : 7),
    number('llama.block_count', shape.layers),
    number('llama.context_length', shape.context),
    number('llama.embedding_length', shape.width),
    number('llama.feed_forward_length', shape.feedForward),
    number('llama.attention.head_count', shape.heads),
    number('llama.attention.head_count_kv', shape.kvHeads),
    number('llama.rope.dimension_count', headSize),
    number('llama.vocab_size', vocabularySize),
    float('llama.attention.layer_norm_rms_epsilon', 1e-5),
    float('llama.rope.freq_base', 10_000),
    ...entries.filter(({ key }) => key.startsWith('tokenizer.')).map(({ raw }) => raw),
  ];
  const tensors = [
    { name: 'token_embd.weight', dims: [shape.width, vocabularySize], type: quant, silentRows: 8 },
    { name: 'output_norm.weight', dims: [shape.width], type: 'F32' },
  ];
  for (let layer = 0; layer < shape.layers; layer += 1) {
    const matrix = (name, rows, columns) => ({
      name: `blk.${layer}.${name}.weight`,
      dims: [columns, rows],
      type: quant,
    });
    const norm = (name) => ({ name: `blk.${layer}.${name}.weight`, dims: [shape.width], type: 'F32' });
    tensors.push(
      norm('attn_norm'),
      matrix('attn_q', shape.width, shape.width),
      matrix('attn_k', headSize * shape.kvHeads, shape.width),
      matrix('attn_v', headSize * shape.kvHeads, shape.width),
      matrix('attn_output', shape.width, shape.width),
      norm('ffn_norm'),
      matrix('ffn_gate', shape.feedForward, shape.width),
      matrix('ffn_up', shape.feedForward, shape.width),
      matrix('ffn_down', shape.width, shape.feedForward),
    );
  }
  await write(to, metadata, tensors);
}

async function write(to, metadata, tensors) {
  const infos = [];
  let offset = 0;
  for (const tensor of tensors) {
    const size = sizeOf(tensor);
    infos.push(
      string(tensor.name),
      u32(tensor.dims.length),
      ...tensor.dims.map(u64),
      u32(types[tensor.type]),
      u64(offset),
    );
    tensor.size = size;
    offset += Math.ceil(size / alignment) * alignment;
  }
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(metadata.length),
    ...metadata,
    ...infos,
  ]);
  const file = createWriteStream(to);
  const random = pseudoRandom(1);
  const put = async (bytes) => {
    if (!file.write(bytes)) await new Promise((resolve) => file.once('drain', resolve));
  };
  await put(padded(head));
  for (const tensor of tensors) await put(padded(weights(tensor, random)));
  file.end();
  await finished(file);
}

function sizeOf({ dims, type }) {
  const count = dims.reduce((product, dim) => product * dim, 1);
  return type === 'F32' ? count * 4 : (count / 32) * bytesPerBlock[type];
}

function weights(tensor, random) {
  const bytes = Buffer.alloc(tensor.size);
  if (tensor.type === 'F32') {
    for (let at = 0; at < bytes.length; at += 4) bytes.writeFloatLE(1, at);
    return bytes;
  }
  for (let at = 0; at + 4 <= bytes.length; at += 4) bytes.writeUInt32LE(random(), at);
  const block = bytesPerBlock[tensor.type];
  // Half-precision scales near 0.004 (Q4_0) or 0.0002 (Q8_0) keep the activations in a sane range.
  const scale = tensor.type === 'Q4_0' ? 0x1c00 : 0x0a00;
  const rowBytes = (tensor.dims[0] / 32) * block;
  for (let at = 0; at < bytes.length; at += block) {
    // The first tokens are the control tokens: with silent rows the model never ends by itself.
    bytes.writeUInt16LE(at < (tensor.silentRows ?? 0) * rowBytes ? 0 : scale, at);
  }
  return bytes;
}

function readMetadata(bytes) {
  let at = 8;
  const readU32 = () => {
    at += 4;
    return bytes.readUInt32LE(at - 4);
  };
  const readU64 = () => {
    at += 8;
    return Number(bytes.readBigUInt64LE(at - 8));
  };
  const readString = () => {
    const length = readU64();
    at += length;
    return bytes.toString('utf8', at - length, at);
  };
  const skipValue = (type) => {
    if (type === 8) readString();
    else if (type === 9) {
      const itemType = readU32();
      const count = readU64();
      for (let index = 0; index < count; index += 1) skipValue(itemType);
      return count;
    } else at += scalarSizes[type];
    return 0;
  };
  readU64();
  const count = readU64();
  const entries = [];
  let vocabularySize = 0;
  for (let index = 0; index < count; index += 1) {
    const start = at;
    const key = readString();
    const length = skipValue(readU32());
    if (key === 'tokenizer.ggml.tokens') vocabularySize = length;
    entries.push({ key, raw: bytes.subarray(start, at) });
  }
  return { entries, vocabularySize };
}

function u32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function string(value) {
  return Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
}

function text(key, value) {
  return Buffer.concat([string(key), u32(8), string(value)]);
}

function number(key, value) {
  return Buffer.concat([string(key), u32(4), u32(value)]);
}

function float(key, value) {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([string(key), u32(6), bytes]);
}

function padded(bytes) {
  return Buffer.concat([bytes, Buffer.alloc((alignment - (bytes.length % alignment)) % alignment)]);
}

function pseudoRandom(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
