import type { z } from 'zod';

/** One operation of a family, described by the schemas that check it. */
export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'delete' | 'head';
  /** With parameters in braces: `/alt/v1/models/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** `application/json` unless it says another. */
  readonly bodyType?: string;
  readonly replies: readonly Reply[];
}

export interface Reply {
  readonly status?: number;
  readonly description: string;
  /** What each content type holds: the whole body, or one event or line of a stream. */
  readonly content?: Readonly<Record<string, z.ZodType>>;
}

/** All that one family offers, and where its description is found. */
export interface ApiFamily {
  readonly title: string;
  readonly description: string;
  readonly documentPath: string;
  readonly error: z.ZodType;
  readonly operations: readonly Operation[];
}
