import { GenerationError } from '../generation/generation-error.js';

/** A model's full name. Two names are the same model when they differ only in upper and lower case. */
export interface ModelName {
  readonly host: string;
  readonly namespace: string;
  readonly model: string;
  readonly tag: string;
}

export interface ModelReference extends ModelName {
  /** Only a download cares: `http://` in front of a name asks for plain http, which needs `insecure`. */
  readonly scheme: 'https' | 'http';
  readonly tagGiven: boolean;
}

export const defaultHost = 'registry.ollama.ai';
export const defaultNamespace = 'library';
export const defaultTag = 'latest';

const maxPartLength = 80;
const maxHostLength = 350;

// The first character may be neither a dot nor a dash, so no part can be `..` or look like a flag.
const hostPattern = /^[A-Za-z0-9_][A-Za-z0-9_.:-]*$/;
const namespacePattern = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;
const partPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** Reads `[scheme://][host/][namespace/]model[:tag]`; throws `invalid-request` for anything that cannot be a name. */
export function parseModelName(text: string): ModelReference {
  const name = tryParseModelName(text);
  if (!name) throw new GenerationError('invalid-request', 'invalid model name', { param: 'model' });
  return name;
}

export function tryParseModelName(text: string): ModelReference | undefined {
  const withScheme = /^(https?):\/\/(.*)$/is.exec(text);
  const scheme = withScheme?.[1]?.toLowerCase() === 'http' ? 'http' : 'https';
  let rest = withScheme?.[2] ?? text;
  let tag: string | undefined;
  const colon = rest.lastIndexOf(':');
  if (colon > rest.lastIndexOf('/')) {
    tag = rest.slice(colon + 1);
    rest = rest.slice(0, colon);
  }
  const parts = rest.split('/');
  if (parts.length > 3) return undefined;
  const model = parts.at(-1) ?? '';
  const namespace = parts.at(-2) ?? defaultNamespace;
  const host = parts.at(-3) ?? defaultHost;
  const name = { host, namespace, model, tag: tag ?? defaultTag };
  if (withScheme && parts.length < 3) return undefined;
  return isValidModelName(name) ? { ...name, scheme, tagGiven: tag !== undefined } : undefined;
}

export function isValidModelName(name: ModelName): boolean {
  return (
    name.host.length <= maxHostLength &&
    hostPattern.test(name.host) &&
    URL.canParse(`https://${name.host}`) &&
    isPart(name.namespace, namespacePattern) &&
    isPart(name.model, partPattern) &&
    isPart(name.tag, partPattern)
  );
}

function isPart(part: string, pattern: RegExp): boolean {
  return part.length <= maxPartLength && pattern.test(part);
}

/** The one spelling shown to people: defaults left out, the tag always there. */
export function displayModelName(name: ModelName): string {
  const short = `${name.model}:${name.tag}`;
  if (name.host.toLowerCase() !== defaultHost) return `${name.host}/${name.namespace}/${short}`;
  if (name.namespace.toLowerCase() !== defaultNamespace) return `${name.namespace}/${short}`;
  return short;
}

/** Equal for two spellings of one model. */
export function modelNameKey(name: ModelName): string {
  return `${name.host}/${name.namespace}/${name.model}:${name.tag}`.toLowerCase();
}
