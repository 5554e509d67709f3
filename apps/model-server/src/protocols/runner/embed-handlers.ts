import { type EmbedRequest, embedRequestSchema } from '@hearth/protocol-types/runner/embed-request';
import type { EmbedResponse } from '@hearth/protocol-types/runner/embed-response';
import { embeddingsRequestSchema } from '@hearth/protocol-types/runner/embeddings-request';
import type { EmbeddingsResponse } from '@hearth/protocol-types/runner/embeddings-response';
import { addAccessFacts } from '@hearth/service-kit/access-log';
import type { RequestHandler } from 'express';
import { abortOnDisconnect } from '../../http/abort-on-disconnect.js';
import { nameOptionsLeftToServer } from '../../http/machine-options.js';
import { modelDefaults } from '../../http/model-defaults.js';
import { parseBody } from '../../http/parse-body.js';
import { parseKeepAlive } from '../../http/parse-keep-alive.js';
import type { ModelEntry } from '../../models/model-entry.js';
import { findEmbedder } from './find-model.js';
import { loadOrUnload } from './load-only.js';
import { nanoseconds } from './render-line.js';
import type { RunnerParts } from './runner-parts.js';

/** `POST /api/embed`: vectors of length 1 for one or more texts. */
export function embedHandler({ catalogue, generator }: RunnerParts): RequestHandler {
  return async (request, response) => {
    const body = parseBody(request, embedRequestSchema);
    const signal = abortOnDisconnect(response);
    nameOptionsLeftToServer(request, response);
    const model = await findEmbedder(catalogue, body.model);
    const stay = stayOf(body, model);
    const inputs = body.input == null || body.input === '' ? [] : [body.input].flat();
    if (inputs.length === 0) {
      await loadOrUnload(generator, { model, ...stay }, signal);
      response.json({ model: body.model, embeddings: [] } satisfies EmbedResponse);
      return;
    }
    const result = await generator.embed(
      {
        model: body.model,
        inputs,
        overflow: body.truncate === false ? 'error' : 'truncate',
        normalize: true,
        ...(body.dimensions == null ? {} : { dimensions: body.dimensions }),
        ...present(stay),
      },
      signal,
    );
    addAccessFacts(response, { model: body.model, prompt_tokens: result.promptTokens });
    response.json({
      model: body.model,
      embeddings: result.vectors.map((vector) => [...vector]),
      total_duration: nanoseconds(result.totalMs),
      load_duration: nanoseconds(result.loadDurationMs),
      prompt_eval_count: result.promptTokens,
    } satisfies EmbedResponse);
  };
}

/** `POST /api/embeddings`: the older form, one text, the vector as the model gave it. */
export function embeddingsHandler({ catalogue, generator }: RunnerParts): RequestHandler {
  return async (request, response) => {
    const body = parseBody(request, embeddingsRequestSchema);
    const signal = abortOnDisconnect(response);
    nameOptionsLeftToServer(request, response);
    const model = await findEmbedder(catalogue, body.model);
    const stay = stayOf(body, model);
    if (!body.prompt) {
      await loadOrUnload(generator, { model, ...stay }, signal);
      response.json({ embedding: [] } satisfies EmbeddingsResponse);
      return;
    }
    const { vectors, promptTokens } = await generator.embed(
      {
        model: body.model,
        inputs: [body.prompt],
        overflow: 'truncate',
        normalize: false,
        ...present(stay),
      },
      signal,
    );
    addAccessFacts(response, { model: body.model, prompt_tokens: promptTokens });
    response.json({ embedding: [...(vectors[0] ?? [])] } satisfies EmbeddingsResponse);
  };
}

type Stay = Pick<Parameters<typeof loadOrUnload>[1], 'keepAlive' | 'contextLength'>;

function stayOf(
  { keep_alive, options }: Pick<EmbedRequest, 'keep_alive' | 'options'>,
  model: ModelEntry,
): Stay {
  return {
    keepAlive: keep_alive == null ? undefined : parseKeepAlive(keep_alive),
    contextLength: options?.num_ctx || modelDefaults(model).contextLength,
  };
}

function present({ keepAlive, contextLength }: Stay) {
  return {
    ...(keepAlive === undefined ? {} : { keepAlive }),
    ...(contextLength === undefined ? {} : { contextLength }),
  };
}
