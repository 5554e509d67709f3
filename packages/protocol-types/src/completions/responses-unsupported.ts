import { z } from 'zod';
import { text } from '../common/fields.js';

/**
 * Stands for an item or a tool of a type that we do not know, so that newer clients still parse and the dialect
 * decides what to skip and what to refuse. A known type never ends here, however wrong the rest of it is.
 */
export function unsupportedExcept(knownTypes: readonly string[]) {
  return z
    .looseObject({ type: text })
    .refine(({ type }) => !knownTypes.includes(type), { error: 'is not complete', abort: true })
    .transform(({ type }) => ({ type: 'unsupported' as const, wire_type: type }));
}
