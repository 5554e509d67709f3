import type { Request } from 'express';
import { GenerationError } from '../../generation/generation-error.js';
import type { Page } from './render-models.js';

const defaultLimit = 20;
const maxLimit = 1000;

export function parsePage({ query }: Request): Page {
  const { limit, after_id, before_id } = query;
  return {
    limit: limit === undefined ? defaultLimit : parseLimit(limit),
    ...(after_id === undefined ? {} : { afterId: single(after_id, 'after_id') }),
    ...(before_id === undefined ? {} : { beforeId: single(before_id, 'before_id') }),
  };
}

function parseLimit(value: unknown): number {
  const limit = typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (limit >= 1 && limit <= maxLimit) return limit;
  throw new GenerationError('invalid-request', `limit must be between 1 and ${maxLimit}`, { param: 'limit' });
}

function single(value: unknown, param: string): string {
  if (typeof value === 'string') return value;
  throw new GenerationError('invalid-request', `${param} must be given once`, { param });
}
