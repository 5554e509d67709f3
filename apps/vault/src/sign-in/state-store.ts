import type { ProviderName } from '@hearth/protocol-types/vault/provider';
import type { Request } from 'express';
import type { StateStore } from 'passport-oauth2';
import type { Flow, FlowCookies } from './flow-cookie.js';

/** What the routes pass in when they start a flow. */
export type FlowStart = Omit<Flow, 'verifier' | 'startedAt'>;

type StoreCallback = (error: Error | null, state?: string) => void;
type VerifyCallback = (
  error: Error | null,
  verifier: string | false,
  flow?: Flow | { message: string },
) => void;

/**
 * Keeps passport's `state` in our flow cookies. Passport chooses how to call a store by how many arguments its
 * functions name: five and four say that PKCE's verifier passes through here too.
 */
export function createStateStore(provider: ProviderName, flows: FlowCookies): StateStore {
  const store = {
    store(request: Request, verifier: string, start: FlowStart, _meta: unknown, done: StoreCallback): void {
      const response = responseOf(request);
      done(null, flows.begin(response, request, provider, { ...start, verifier, startedAt: Date.now() }));
    },

    verify(request: Request, state: unknown, _meta: unknown, done: VerifyCallback): void {
      const flow = flows.finish(request, responseOf(request), provider, state);
      if (flow) done(null, flow.verifier, flow);
      else done(null, false, { message: 'no sign-in was begun with this state in this browser' });
    },
  };
  return store as unknown as StateStore;
}

function responseOf(request: Request) {
  if (!request.res) throw new Error('the request has no response yet');
  return request.res;
}
