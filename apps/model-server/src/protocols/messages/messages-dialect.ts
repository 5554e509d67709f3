import type { Dialect } from '../../http/dialect.js';
import { renderError } from './render-error.js';

/** Below `/alt`, and `/v1/messages` too, because agents expect it there. */
export const messagesDialect: Dialect = {
  name: 'messages',
  owns: (path) =>
    path === '/alt' ||
    path.startsWith('/alt/') ||
    path === '/v1/messages' ||
    path.startsWith('/v1/messages/'),
  renderError,
};
