import type { Request } from 'express';
import { type CursorPosition, readCursor, writeCursor } from '../../crypto/cursor.js';
import { VaultError } from '../../errors/vault-error.js';

/** Cursors for the lists of the API, signed so that only ours are believed. */
export interface Paging {
  /** The position in a cursor of this list. */
  read(list: string, cursor: string | undefined): CursorPosition | undefined;
  /** The Link header to the next page, where there is one. */
  link(request: Request, list: string, next: CursorPosition | undefined): Record<string, string>;
}

export function createPaging(cursorKey: () => Buffer): Paging {
  return {
    read(list, cursor) {
      if (cursor === undefined) return undefined;
      const position = readCursor(cursorKey(), list, cursor);
      if (position === undefined) throw new VaultError('invalid_cursor');
      return position;
    },

    link(request, list, next) {
      if (next === undefined) return {};
      const query = new URLSearchParams(request.originalUrl.split('?')[1] ?? '');
      query.set('cursor', writeCursor(cursorKey(), list, next));
      return { link: `<${request.baseUrl}${request.path}?${query}>; rel="next"` };
    },
  };
}

/** One row more than a page was asked for, to know whether another page follows. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
): { page: readonly Row[]; last: Row | undefined } {
  return rows.length > limit
    ? { page: rows.slice(0, limit), last: rows[limit - 1] }
    : { page: rows, last: undefined };
}
