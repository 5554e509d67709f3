/** The first call to try with a token. It lists the vaults; a token that may not do that asks what it may. */
export function curlLine(token: string, effectiveScopes: readonly string[]): string {
  const path = effectiveScopes.includes('vaults:read') ? '/api/secrets/vaults' : '/api/secrets/token';
  return `curl -H "Authorization: Bearer ${token}" ${location.origin}${path}`;
}

export const exportLine = (token: string): string => `export HEARTH_VAULT_TOKEN=${token}`;
