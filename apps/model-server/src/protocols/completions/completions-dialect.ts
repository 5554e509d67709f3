import type { Dialect } from '../../http/dialect.js';
import { renderError } from './render-error.js';

/** Where clients of other rerank servers look for it. */
export const rerankAliases = ['/v1/reranking', '/rerank', '/reranking'] as const;

const aliases: ReadonlySet<string> = new Set(rerankAliases);

export const completionsDialect: Dialect = {
  name: 'completions',
  owns: (path) => path === '/v1' || path.startsWith('/v1/') || aliases.has(path),
  renderError,
};
