import type { Scope } from '@hearth/protocol-types/vault/scope';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Caller } from '../../access/caller.js';

/**
 * Who may call an operation. Every operation says so, and nothing is reachable that does not.
 * - scopes: a session, or a token that holds all of them
 * - session: only a browser session; `fresh` asks for a recent sign-in
 * - token: only a token, whatever its scopes
 * - anyone: a session or any live token
 * - public: no credentials
 */
export type Access =
  | { readonly kind: 'scopes'; readonly scopes: readonly [Scope, ...Scope[]]; readonly fresh?: boolean }
  | { readonly kind: 'session'; readonly fresh: boolean }
  | { readonly kind: 'token' }
  | { readonly kind: 'anyone' }
  | { readonly kind: 'public' };

export const scopes = (...list: [Scope, ...Scope[]]): Access => ({ kind: 'scopes', scopes: list });

export interface DocumentedReply {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** What the body is, where it is not JSON. */
  readonly contentTypes?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler answers: JSON, a text, lines as they come, or nothing. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly lines?: AsyncIterable<string>;
  /** Names and dates alone: such a reply may be compressed. */
  readonly holdsNoSecret?: boolean;
  /** For an answer that must never be given twice: what a repeated request is told instead. */
  readonly onceOnly?: Readonly<Record<string, unknown>>;
}

/** A checked request. */
export interface Call<Params, Query, Body> {
  readonly caller: Caller;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: Request;
}

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export interface OperationDefinition<
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodType | undefined,
> {
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With parameters as OpenAPI writes them: /vaults/{vault_id}. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The forms in which the body may come; JSON unless said otherwise. */
  readonly bodyTypes?: readonly string[];
  /** Whether the body may be left out altogether. */
  readonly bodyOptional?: boolean;
  /** Request headers that mean something here, for the documentation. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether an Idempotency-Key makes a repeated request harmless. */
  readonly idempotencyKey?: boolean;
  readonly replies: Readonly<Record<number, DocumentedReply>>;
  readonly handle: (call: Call<Parsed<Params>, Parsed<Query>, Parsed<Body>>) => Promise<Reply>;
}

/** An operation whose own types have served their purpose: what the router and the documentation hold. */
export type Operation = Omit<
  OperationDefinition<z.ZodObject | undefined, z.ZodObject | undefined, z.ZodType | undefined>,
  'handle'
> & { readonly handle: (call: Call<never, never, never>) => Promise<Reply> };

export function defineOperation<
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(definition: OperationDefinition<Params, Query, Body>): Operation {
  return definition as unknown as Operation;
}
