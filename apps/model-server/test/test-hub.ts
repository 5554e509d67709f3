import type { IncomingMessage } from 'node:http';
import { type Fault, serveBytes } from './serve-bytes.js';
import { sha256 } from './test-registry.js';
import { startTestServer, type TestServer } from './test-server.js';

export interface TestHub extends TestServer {
  /** `user/repository` to its files. */
  readonly repositories: Map<string, Map<string, Buffer>>;
  readonly storage: TestServer;
  fault: (path: string, request: IncomingMessage) => Fault | undefined;
}

const commit = '0123456789abcdef0123456789abcdef01234567';

/** A hub of our own that speaks Hugging Face's protocol: refs, paged tree, files redirected to storage. */
export async function startTestHub(options: { readonly token?: string; readonly pageSize?: number } = {}) {
  const repositories = new Map<string, Map<string, Buffer>>();
  let hub: TestHub;
  const find = (id: string, path: string) => repositories.get(id)?.get(path);

  const storage = await startTestServer((request, response, url) => {
    const path = url.searchParams.get('path') ?? '';
    const content = find(url.searchParams.get('repository') ?? '', path);
    if (!content) response.writeHead(404).end();
    else serveBytes(request, response, content, hub.fault(path, request));
  });

  const server = await startTestServer((request, response, url) => {
    if (options.token !== undefined && request.headers.authorization !== `Bearer ${options.token}`) {
      response.writeHead(401).end();
      return;
    }
    const [, user, name, rest = ''] = /^\/(?:api\/models\/)?([^/]+)\/([^/]+)\/(.*)$/.exec(url.pathname) ?? [];
    const id = `${user}/${name}`;
    const files = repositories.get(id);
    if (!files) {
      response.writeHead(404).end();
      return;
    }
    if (rest === 'refs') {
      response.end(
        JSON.stringify({ branches: [{ name: 'main', ref: 'refs/heads/main', targetCommit: commit }] }),
      );
      return;
    }
    if (rest === `tree/${commit}`) {
      const page = Number(url.searchParams.get('cursor') ?? 0);
      const size = options.pageSize ?? 1000;
      const all = [...files].map(([path, bytes]) => ({
        type: 'file',
        path,
        size: bytes.length,
        oid: 'abc',
        ...(path.endsWith('.gguf') ? { lfs: { oid: sha256(bytes).slice(7), size: bytes.length } } : {}),
      }));
      if ((page + 1) * size < all.length) {
        response.setHeader(
          'link',
          `<${server.url}${url.pathname}?recursive=true&cursor=${page + 1}>; rel="next"`,
        );
      }
      response.end(JSON.stringify(all.slice(page * size, (page + 1) * size)));
      return;
    }
    const path = decodeURIComponent(rest.replace(`resolve/${commit}/`, ''));
    const content = files.get(path);
    if (!content) response.writeHead(404).end();
    else if (!path.endsWith('.gguf')) serveBytes(request, response, content);
    else {
      const address = `${storage.url}/file?repository=${encodeURIComponent(id)}&path=${encodeURIComponent(path)}`;
      response.writeHead(302, { location: address }).end();
    }
  });

  hub = {
    ...server,
    repositories,
    storage,
    fault: () => undefined,
    close: async () => {
      await Promise.all([server.close(), storage.close()]);
    },
  };
  return hub;
}
