import type { TokenVerifier } from './token-verifier.js';

/** Accepts what one of several verifiers accepts, asked in order. */
export function anyVerifier(verifiers: readonly TokenVerifier[]): TokenVerifier {
  return {
    async verify(token, context) {
      for (const verifier of verifiers) {
        const principal = await verifier.verify(token, context);
        if (principal !== null) return principal;
      }
      return null;
    },
  };
}
