import type { EmbeddingsRequest } from '@hearth/protocol-types/completions/embeddings-request';
import type { EmbeddingsResponse } from '@hearth/protocol-types/completions/embeddings-response';
import type { TextGenerator } from '../../../generation/text-generator.js';
import { parseKeepAlive } from '../../../http/parse-keep-alive.js';
import { reject } from '../refuse.js';

/** Vectors for one or more texts, in the encoding the caller asked for. */
export async function embedTexts(
  body: EmbeddingsRequest,
  generator: TextGenerator,
  signal: AbortSignal,
): Promise<EmbeddingsResponse> {
  const { vectors, promptTokens } = await generator.embed(
    {
      model: body.model,
      inputs: parseInputs(body.input),
      overflow: 'error',
      normalize: true,
      ...(body.dimensions == null ? {} : { dimensions: body.dimensions }),
      ...(body.keep_alive == null ? {} : { keepAlive: parseKeepAlive(body.keep_alive) }),
    },
    signal,
  );
  // The official client asks for base64 unless told otherwise, and decodes whatever comes as such.
  const encode = body.encoding_format === 'base64' ? toBase64 : (vector: readonly number[]) => [...vector];
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({ object: 'embedding', index, embedding: encode(vector) })),
    model: body.model,
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
  };
}

function parseInputs(input: EmbeddingsRequest['input']): readonly (string | readonly number[])[] {
  const inputs: readonly (string | readonly number[])[] =
    typeof input === 'string' ? [input] : isTokens(input) ? [input] : input;
  if (inputs.length === 0) reject('input', 'must hold at least one text');
  inputs.forEach((one, index) => {
    if (one.length === 0) reject(inputs.length === 1 ? 'input' : `input.${index}`, 'must not be empty');
  });
  return inputs;
}

function isTokens(list: readonly (string | number | number[])[]): list is number[] {
  return typeof list[0] === 'number';
}

/** Little-endian 32-bit floats. */
function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  vector.forEach((value, index) => {
    bytes.writeFloatLE(value, index * 4);
  });
  return bytes.toString('base64');
}
