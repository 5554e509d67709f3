/** The first call to try with a token: it lists the vaults. */
export function curlLine(token: string): string {
  return `curl -H "Authorization: Bearer ${token}" ${location.origin}/api/secrets/vaults`;
}

export const exportLine = (token: string): string => `export HEARTH_VAULT_TOKEN=${token}`;
