import type { Dialect } from '../../http/dialect.js';
import { renderError } from './render-error.js';

export const runnerDialect: Dialect = {
  name: 'runner',
  owns: (path) => path === '/api' || path.startsWith('/api/'),
  renderError,
};
