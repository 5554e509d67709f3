import type { RerankRequest } from '@hearth/protocol-types/completions/rerank-request';
import type { RerankResponse } from '@hearth/protocol-types/completions/rerank-response';
import type { TextGenerator } from '../../../generation/text-generator.js';
import { parseKeepAlive } from '../../../http/parse-keep-alive.js';
import type { ModelEntry } from '../../../models/model-entry.js';
import { refuse, reject } from '../refuse.js';

/** Documents ordered by how well they answer a query, the best first. */
export async function rankDocuments(
  body: RerankRequest,
  model: ModelEntry,
  generator: TextGenerator,
  signal: AbortSignal,
): Promise<RerankResponse> {
  const documents = parseDocuments(body);
  if (!model.capabilities.includes('rerank')) refuse('model', `'${body.model}' does not rank documents`);
  const { scores, promptTokens } = await generator.rerank(
    {
      model: body.model,
      query: body.query,
      documents,
      ...(body.keep_alive == null ? {} : { keepAlive: parseKeepAlive(body.keep_alive) }),
    },
    signal,
  );
  const withText = body.return_documents === true || body.return_text === true;
  const results = scores
    .map((score, index) => ({
      index,
      relevance_score: score,
      ...(withText ? { document: { text: documents[index] ?? '' } } : {}),
    }))
    .sort((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, body.top_n ?? scores.length);
  return {
    model: body.model,
    object: 'list',
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
    results,
  };
}

function parseDocuments({ documents, texts }: RerankRequest): readonly string[] {
  const given = documents ?? texts ?? reject('documents', 'is required');
  if (given.length === 0) reject('documents', 'must hold at least one text');
  return given.map((document) => (typeof document === 'string' ? document : document.text));
}
