import { readGgufHeader } from '../../src/models/gguf/read-gguf-header.js';
import { emberPath } from '../engine-fixture.js';
import { ggufBytes, type HeaderValue, type TensorToWrite } from '../gguf-bytes.js';

/*
 * Models of architectures that the bundled one does not have, small enough to be made in a test. They have the bundled
 * model's vocabulary; their weights are made up.
 */

const width = 64;
const heads = 2;
const headSize = width / heads;
const feedForward = 128;

async function vocabulary() {
  const { metadata } = await readGgufHeader(emberPath, { keepArraysUpTo: Number.MAX_SAFE_INTEGER });
  const entries = [...metadata].flatMap(([key, value]): [string, HeaderValue][] => {
    if (!key.startsWith('tokenizer.')) return [];
    if (typeof value !== 'object') return [[key, value]];
    return [[key, value.values as readonly string[] | readonly number[]]];
  });
  const tokens = metadata.get('tokenizer.ggml.tokens');
  if (typeof tokens !== 'object') throw new Error('the bundled model has no vocabulary');
  return { entries: Object.fromEntries(entries), tokens: tokens.values as readonly string[] };
}

type Fill = (index: number) => number;

function tensor(name: string, shape: readonly number[], fill: Fill): TensorToWrite {
  const count = shape.reduce((product, length) => product * length, 1);
  const values = Float32Array.from({ length: count }, (_, index) => fill(index));
  return { name: `${name}.weight`, shape, values };
}

/** The same with a bias of nothing, which encoders want. */
function biased(
  name: string,
  shape: readonly [number, number] | readonly [number],
  fill: Fill,
): TensorToWrite[] {
  const rows = shape[1] ?? shape[0];
  return [tensor(name, shape, fill), { name: `${name}.bias`, shape: [rows], values: new Float32Array(rows) }];
}

const one: Fill = () => 1;
const zero: Fill = () => 0;
/** One on the diagonal of a square matrix: what goes in comes out. */
const identity: Fill = (index) => (index % (width + 1) === 0 ? 1 : 0);

/** Numbers between -scale and scale, the same in every run. */
function random(scale: number): Fill {
  let state = 12_345;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state / 2 ** 31 - 1) * scale;
  };
}

function common(architecture: string, layers: number, context: number): Record<string, HeaderValue> {
  return {
    'general.architecture': architecture,
    [`${architecture}.block_count`]: layers,
    [`${architecture}.context_length`]: context,
    [`${architecture}.embedding_length`]: width,
    [`${architecture}.feed_forward_length`]: feedForward,
    [`${architecture}.attention.head_count`]: heads,
    [`${architecture}.attention.head_count_kv`]: heads,
    [`${architecture}.attention.layer_norm_rms_epsilon`]: 1e-6,
  };
}

export const slidingWindow = 32;

/** Like Gemma 3: five layers that see a window of the last tokens only, then one that sees all. Random weights. */
export async function makeSlidingWindowModel(): Promise<Buffer> {
  const { entries, tokens } = await vocabulary();
  const layers = 6;
  const matrix = random(0.3);
  const tensors = [
    tensor('token_embd', [width, tokens.length], random(0.5)),
    tensor('output_norm', [width], one),
  ];
  for (let layer = 0; layer < layers; layer += 1) {
    const named = (name: string) => `blk.${layer}.${name}`;
    for (const norm of ['attn_norm', 'post_attention_norm', 'ffn_norm', 'post_ffw_norm']) {
      tensors.push(tensor(named(norm), [width], one));
    }
    for (const norm of ['attn_q_norm', 'attn_k_norm']) tensors.push(tensor(named(norm), [headSize], one));
    for (const name of ['attn_q', 'attn_k', 'attn_v', 'attn_output']) {
      tensors.push(tensor(named(name), [width, width], matrix));
    }
    for (const name of ['ffn_gate', 'ffn_up'])
      tensors.push(tensor(named(name), [width, feedForward], matrix));
    tensors.push(tensor(named('ffn_down'), [feedForward, width], matrix));
  }
  const metadata = {
    ...common('gemma3', layers, 2048),
    'gemma3.attention.sliding_window': slidingWindow,
    ...entries,
  };
  return ggufBytes({ metadata, tensors });
}

/**
 * Like a Qwen 3 reranker: a classifier on the last token says yes or no. The weights are laid out by hand so that the
 * right order is known: attention takes the mean of all tokens, and one word makes the classifier say yes.
 */
export async function makeRankingModel(likedWord: string): Promise<Buffer> {
  const { entries, tokens } = await vocabulary();
  const liked = tokens.indexOf(`Ġ${likedWord}`);
  if (liked < 0) throw new Error(`"${likedWord}" is not one token`);
  const small = random(0.1);
  const embedding: Fill = (index) => {
    const isFirst = index % width === 0;
    if (Math.floor(index / width) === liked) return isFirst ? 4 : 0;
    return isFirst ? -0.1 : small(index);
  };
  const tensors = [
    tensor('token_embd', [width, tokens.length], embedding),
    tensor('output_norm', [width], one),
    tensor('blk.0.attn_norm', [width], one),
    tensor('blk.0.attn_q', [width, width], zero),
    tensor('blk.0.attn_k', [width, width], zero),
    tensor('blk.0.attn_q_norm', [headSize], one),
    tensor('blk.0.attn_k_norm', [headSize], one),
    tensor('blk.0.attn_v', [width, width], identity),
    tensor('blk.0.attn_output', [width, width], identity),
    tensor('blk.0.ffn_norm', [width], one),
    tensor('blk.0.ffn_gate', [width, feedForward], zero),
    tensor('blk.0.ffn_up', [width, feedForward], zero),
    tensor('blk.0.ffn_down', [feedForward, width], zero),
    tensor('cls.output', [width, 2], (index) => (index === 0 ? 1 : index === width ? -1 : 0)),
  ];
  const metadata = {
    ...common('qwen3', 1, 2048),
    'qwen3.pooling_type': 4,
    'qwen3.classifier.output_labels': ['yes', 'no'],
    'tokenizer.chat_template.rerank': 'Query: {query}\nDocument: {document}\nRelevant?',
    ...entries,
  };
  return ggufBytes({ metadata, tensors });
}

/** Like BERT with a classifier: an encoder, which must read an input in one batch. Random weights. */
export async function makeEncoder(): Promise<Buffer> {
  const { entries, tokens } = await vocabulary();
  const context = 1024;
  const matrix = random(0.3);
  const square = [width, width] as const;
  const tensors = [
    tensor('token_embd', [width, tokens.length], random(0.5)),
    tensor('position_embd', [width, context], random(0.1)),
    tensor('token_types', [width, 1], zero),
    ...biased('token_embd_norm', [width], one),
    ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].flatMap((name) =>
      biased(`blk.0.${name}`, square, matrix),
    ),
    ...biased('blk.0.attn_output_norm', [width], one),
    ...biased('blk.0.ffn_up', [width, feedForward], matrix),
    ...biased('blk.0.ffn_down', [feedForward, width], matrix),
    ...biased('blk.0.layer_output_norm', [width], one),
    ...biased('cls', square, matrix),
    ...biased('cls.output', [width, 1], matrix),
  ];
  const metadata = {
    ...common('bert', 1, context),
    'bert.attention.layer_norm_epsilon': 1e-6,
    'bert.attention.causal': false,
    'bert.pooling_type': 4,
    'tokenizer.ggml.token_type_count': 1,
    ...entries,
  };
  return ggufBytes({ metadata, tensors });
}

const wordTypes = { normal: 1, unknown: 2, control: 3, userDefined: 4, byte: 6 };

/**
 * A vocabulary of the SentencePiece kind: a space before each text, marks of turns as user-defined tokens, and letters
 * that may grow together into a control token (`</` and `s>`). Its model is one layer of random weights.
 */
export async function makeSentencePieceModel(): Promise<Buffer> {
  const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<>/|[]_.,!?▁'];
  const longer = ['s>', '</', '<s', '▁the', 'he', 'th', 'the', '▁t', '▁h', 'el', 'lo', 'ob', 'ey'];
  const words = [
    { text: '<unk>', type: wordTypes.unknown },
    { text: '<s>', type: wordTypes.control },
    { text: '</s>', type: wordTypes.control },
    { text: '[INST]', type: wordTypes.userDefined },
    { text: '[/INST]', type: wordTypes.userDefined },
    { text: '▁▁', type: wordTypes.userDefined },
    ...Array.from({ length: 256 }, (_, byte) => ({
      text: `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
      type: wordTypes.byte,
    })),
    ...[...letters, ...longer].map((text) => ({ text, type: wordTypes.normal })),
  ];
  const matrix = random(0.3);
  const squares = ['attn_q', 'attn_k', 'attn_v', 'attn_output'];
  const tensors = [
    tensor('token_embd', [width, words.length], random(0.5)),
    tensor('output_norm', [width], one),
    ...['attn_norm', 'ffn_norm'].map((name) => tensor(`blk.0.${name}`, [width], one)),
    ...squares.map((name) => tensor(`blk.0.${name}`, [width, width], matrix)),
    ...['ffn_gate', 'ffn_up'].map((name) => tensor(`blk.0.${name}`, [width, feedForward], matrix)),
    tensor('blk.0.ffn_down', [feedForward, width], matrix),
  ];
  const metadata = {
    ...common('llama', 1, 2048),
    'llama.vocab_size': words.length,
    'llama.rope.dimension_count': headSize,
    'tokenizer.ggml.model': 'llama',
    'tokenizer.ggml.tokens': words.map(({ text }) => text),
    'tokenizer.ggml.token_type': words.map(({ type }) => type),
    // Longer pieces first, as a trained vocabulary has them; control tokens at the top, as in real ones.
    'tokenizer.ggml.scores': words.map(({ type }, index) => (type === wordTypes.normal ? -index - 0.5 : 0)),
    'tokenizer.ggml.bos_token_id': 1,
    'tokenizer.ggml.eos_token_id': 2,
    'tokenizer.ggml.unknown_token_id': 0,
    'tokenizer.ggml.add_bos_token': true,
    'tokenizer.ggml.add_space_prefix': true,
    'tokenizer.chat_template':
      "{% for m in messages %}{% if m.role == 'user' %}{{ bos_token + '[INST] ' + m.content + ' [/INST]' }}{% else %}{{ ' ' + m.content + ' ' + eos_token }}{% endif %}{% endfor %}",
  };
  return ggufBytes({ metadata, tensors });
}
