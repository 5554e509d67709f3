import { createHash, randomBytes } from 'node:crypto';
import type { ProviderName } from '@hearth/protocol-types/vault/provider';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { seal, unseal } from '../crypto/sealed-box.js';
import type { Cookies } from '../http/cookies.js';

/** What a sign-in must remember while the person is away at the provider. */
const flowSchema = z.strictObject({
  intent: z.enum(['sign-in', 'link']),
  returnTo: z.string(),
  /** Linking adds to the account of this very session. */
  sessionId: z.string().optional(),
  verifier: z.string(),
  startedAt: z.number(),
});

export type Flow = z.infer<typeof flowSchema>;

const lifetimeSeconds = 600;
/** Many tabs may be open at once; past this many the old ones are dropped, or the headers would grow too large. */
const mostFlows = 6;

export interface FlowCookies {
  /** Seals the flow into a cookie of its own and returns the state to send along. */
  begin(response: Response, request: Request, provider: ProviderName, flow: Flow): string;
  /** Opens the flow of this state, once: the cookie is cleared with the same reply. */
  finish(request: Request, response: Response, provider: ProviderName, state: unknown): Flow | undefined;
}

/**
 * One sealed cookie for each sign-in under way, so that two tabs do not disturb each other and strangers make no
 * rows in the database. It opens only for the provider and the state it was made for, in the browser it was made in.
 */
export function createFlowCookies(cookies: Cookies, keys: () => readonly Buffer[]): FlowCookies {
  const nameOf = (provider: ProviderName, state: string) =>
    `${cookies.names.flowPrefix}${provider}-${createHash('sha256').update(state).digest('hex').slice(0, 16)}`;
  const contextOf = (provider: ProviderName, state: string) => `sign-in flow|${provider}|${state}`;
  return {
    begin(response, request, provider, flow) {
      const others = Object.keys(cookies.read(request)).filter((name) =>
        name.startsWith(cookies.names.flowPrefix),
      );
      if (others.length >= mostFlows) for (const name of others) cookies.clear(response, name);
      const state = randomBytes(32).toString('base64url');
      const box = seal(keys()[0] as Buffer, Buffer.from(JSON.stringify(flow)), contextOf(provider, state));
      cookies.set(response, nameOf(provider, state), box.toString('base64url'), lifetimeSeconds);
      return state;
    },

    finish(request, response, provider, state) {
      if (typeof state !== 'string' || !/^[A-Za-z0-9_-]{43}$/.test(state)) return undefined;
      const name = nameOf(provider, state);
      const value = cookies.read(request)[name];
      if (value === undefined) return undefined;
      cookies.clear(response, name);
      const box = Buffer.from(value, 'base64url');
      for (const key of keys()) {
        const flow = open(key, box, contextOf(provider, state));
        if (flow && Date.now() - flow.startedAt < lifetimeSeconds * 1000) return flow;
      }
      return undefined;
    },
  };
}

function open(key: Buffer, box: Buffer, context: string): Flow | undefined {
  try {
    return flowSchema.parse(JSON.parse(unseal(key, box, context).toString('utf8')));
  } catch {
    return undefined;
  }
}
