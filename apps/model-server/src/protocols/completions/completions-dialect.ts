import type { Dialect } from '../../http/dialect.js';
import { renderError } from './render-error.js';

export const completionsDialect: Dialect = {
  name: 'completions',
  owns: (path) => path === '/v1' || path.startsWith('/v1/'),
  renderError,
};
