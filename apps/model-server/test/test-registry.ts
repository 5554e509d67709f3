import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TestCertificate } from './self-signed-certificate.js';
import { type Fault, serveBytes } from './serve-bytes.js';
import { bodyOf, type SeenRequest, startTestServer, type TestServer } from './test-server.js';

const mediaTypes: Readonly<Record<string, string>> = {
  config: 'application/vnd.docker.container.image.v1+json',
};

export interface TestRegistry extends TestServer {
  readonly blobs: Map<string, Buffer>;
  /** `namespace/model:tag` to the manifest's text. */
  readonly manifests: Map<string, string>;
  /** Where blobs are redirected to, when they are: another origin. */
  readonly storage: TestServer | undefined;
  /** Puts a model in; the layers' names are the last part of their media type, `config` is the config. */
  add(name: string, layers: Readonly<Record<string, string | Buffer>>): { digests: Record<string, string> };
  /** Asked before each answer with a blob; what it returns goes wrong. */
  fault: (digest: string, request: IncomingMessage) => Fault | undefined;
}

export interface TestRegistryOptions {
  readonly redirectBlobs?: boolean;
  readonly requireToken?: boolean;
  /** What the token is called in the answer of the place for tokens. */
  readonly tokenField?: 'token' | 'access_token';
  /** The realm to name instead of our own, to see what a client gives away. */
  readonly realm?: string;
  readonly redirectUploads?: boolean;
  /** Speaks TLS with this certificate, and so does its storage. */
  readonly certificate?: TestCertificate;
  /** The storage has no TLS, though the registry has. */
  readonly plainStorage?: boolean;
  /** Asks for a user name and password by Basic. */
  readonly login?: { readonly user: string; readonly password: string };
}

export function sha256(bytes: Buffer | string): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** A registry of our own that speaks the v2 protocol: pull, push, tokens, redirects to storage. */
export async function startTestRegistry(options: TestRegistryOptions = {}): Promise<TestRegistry> {
  const blobs = new Map<string, Buffer>();
  const manifests = new Map<string, string>();
  const uploads = new Map<string, Buffer[]>();
  const token = `token-${randomUUID()}`;
  let registry: TestRegistry;

  const sendBlob = (request: IncomingMessage, response: ServerResponse, digest: string) => {
    const content = blobs.get(digest);
    if (!content) response.writeHead(404).end();
    else serveBytes(request, response, content, registry.fault(digest, request));
  };

  const storage =
    options.redirectBlobs === true || options.redirectUploads === true
      ? await startTestServer(
          async (request, response, url) => {
            const [, kind, id = ''] = url.pathname.split('/');
            if (kind === 'blob') return sendBlob(request, response, decodeURIComponent(id));
            uploads.get(id)?.push(await bodyOf(request));
            response.writeHead(200).end();
          },
          options.plainStorage === true ? {} : { certificate: options.certificate },
        )
      : undefined;

  const server = await startTestServer(
    async (request, response, url) => {
      const { login } = options;
      const basic = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
      if (url.pathname === '/token') {
        const signed =
          request.headers.authorization === basic ||
          /^[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$/.test(request.headers.authorization ?? '');
        response
          .writeHead(signed ? 200 : 401)
          .end(JSON.stringify({ [options.tokenField ?? 'token']: token }));
        return;
      }
      if (basic !== undefined && options.requireToken !== true && request.headers.authorization !== basic) {
        request.resume();
        response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
        return;
      }
      if (options.requireToken === true && request.headers.authorization !== `Bearer ${token}`) {
        request.resume();
        const realm = options.realm ?? `${server.url}/token`;
        response.setHeader(
          'www-authenticate',
          `Bearer realm="${realm}",service="test",scope="repository:x:pull"`,
        );
        response.writeHead(401).end();
        return;
      }
      const match = /^\/v2\/([^/]+\/[^/]+)\/(manifests|blobs)\/(.*)$/.exec(url.pathname);
      const [, repository = '', kind, rest = ''] = match ?? [];
      if (kind === 'manifests') return await serveManifest(request, response, `${repository}:${rest}`);
      if (kind === 'blobs' && rest.startsWith('uploads'))
        return await takeUpload(request, response, url, rest);
      if (kind === 'blobs') {
        if (!blobs.has(rest)) response.writeHead(404).end();
        else if (options.redirectBlobs === true && request.method === 'GET') {
          response
            .writeHead(307, { location: `${storage?.url}/blob/${encodeURIComponent(rest)}?sig=1` })
            .end();
        } else sendBlob(request, response, rest);
        return;
      }
      response.writeHead(404).end();
    },
    { certificate: options.certificate },
  );

  async function serveManifest(request: IncomingMessage, response: ServerResponse, name: string) {
    if (request.method === 'PUT') {
      manifests.set(name, (await bodyOf(request)).toString());
      response.writeHead(201).end();
      return;
    }
    const text = manifests.get(name);
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(text);
  }

  async function takeUpload(request: IncomingMessage, response: ServerResponse, url: URL, rest: string) {
    if (request.method === 'POST') {
      const id = randomUUID();
      uploads.set(id, []);
      response.writeHead(202, { location: `${server.url}${url.pathname}${id}` }).end();
      return;
    }
    const id = rest.split('/')[1] ?? '';
    const parts = uploads.get(id);
    if (!parts) {
      response.writeHead(404).end();
      return;
    }
    if (request.method === 'PATCH' && options.redirectUploads === true) {
      request.resume();
      response.writeHead(307, { location: `${storage?.url}/upload/${id}` }).end();
      return;
    }
    const body = await bodyOf(request);
    if (request.method === 'PATCH') {
      const length = parts.reduce((total, part) => total + part.length, 0);
      if (request.headers['content-range'] !== `${length}-${length + body.length - 1}`) {
        response.writeHead(416).end();
        return;
      }
      parts.push(body);
      response.writeHead(202, { location: `${server.url}${url.pathname}` }).end();
      return;
    }
    const content = Buffer.concat([...parts, body]);
    const digest = url.searchParams.get('digest') ?? '';
    const right = sha256(content) === digest;
    if (right) blobs.set(digest, content);
    response.writeHead(right ? 201 : 400).end();
  }

  registry = {
    ...server,
    blobs,
    manifests,
    storage,
    fault: () => undefined,
    add(name, layers) {
      const digests: Record<string, string> = {};
      const descriptors = Object.entries(layers).map(([kind, content]) => {
        const bytes = Buffer.from(content);
        const digest = sha256(bytes);
        blobs.set(digest, bytes);
        digests[kind] = digest;
        const mediaType = mediaTypes[kind] ?? `application/vnd.ollama.image.${kind}`;
        return { mediaType, digest, size: bytes.length };
      });
      const config = descriptors.find((one) => one.mediaType === mediaTypes['config']);
      const rest = descriptors.filter((one) => one !== config);
      const mediaType = 'application/vnd.docker.distribution.manifest.v2+json';
      manifests.set(name, JSON.stringify({ schemaVersion: 2, mediaType, config, layers: rest }));
      return { digests };
    },
    close: async () => {
      await Promise.all([server.close(), storage?.close()]);
    },
  };
  return registry;
}

/** How many bytes of a blob were asked for by ranges. */
export function bytesAskedFor(requests: readonly SeenRequest[], digest: string): number {
  return requests
    .filter((request) => request.path.endsWith(digest))
    .map((request) => /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? ''))
    .reduce((total, range) => total + Number(range?.[2]) - Number(range?.[1]) + 1, 0);
}
