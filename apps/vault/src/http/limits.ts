import { defaultServerLimits, type ServerLimits } from '@hearth/service-kit/listen';

/** Sizes and times that bound what one request may cost. docs/vault-api.md lists them. */
export const limits = {
  bodyBytes: 256 * 1024,
  importBodyBytes: 1024 * 1024,
} as const;

export const serverLimits: ServerLimits = { ...defaultServerLimits, requestTimeoutMs: 30_000 };
