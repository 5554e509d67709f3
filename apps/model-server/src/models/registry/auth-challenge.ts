export interface BearerChallenge {
  readonly realm: string;
  readonly service: string | undefined;
  readonly scopes: readonly string[];
}

/** Reads `WWW-Authenticate: Bearer realm="…",service="…",scope="…"`; undefined for any other scheme. */
export function parseBearerChallenge(header: string | undefined): BearerChallenge | undefined {
  const rest = /^Bearer\s+(.*)$/is.exec(header ?? '')?.[1];
  if (rest === undefined) return undefined;
  const values = new Map<string, string>();
  for (const [, key = '', quoted, plain] of rest.matchAll(/([a-z_]+)\s*=\s*(?:"([^"]*)"|([^\s,"]+))/gi)) {
    values.set(key.toLowerCase(), quoted ?? plain ?? '');
  }
  const realm = values.get('realm');
  if (!realm) return undefined;
  const scopes = (values.get('scope') ?? '').split(' ').filter((scope) => scope.length > 0);
  return { realm, service: values.get('service'), scopes };
}
