import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';

// The registry of the pull bench: one model of one file, ranges included.
const [file, digest] = process.argv.slice(2);
const { size } = statSync(file);
const config = '{}';
const configDigest = `sha256:${createHash('sha256').update(config).digest('hex')}`;
const manifest = JSON.stringify({
  schemaVersion: 2,
  config: { mediaType: 'application/vnd.docker.container.image.v1+json', digest: configDigest, size: 2 },
  layers: [{ mediaType: 'application/vnd.ollama.image.model', digest, size }],
});

const server = createServer((request, response) => {
  if (request.url.includes('/manifests/')) return response.end(manifest);
  const isConfig = request.url.endsWith(configDigest);
  const total = isConfig ? config.length : size;
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  const start = range ? Number(range[1]) : 0;
  const end = range ? Number(range[2]) : total - 1;
  response.writeHead(range ? 206 : 200, {
    'content-length': end - start + 1,
    ...(range ? { 'content-range': `bytes ${start}-${end}/${total}` } : {}),
  });
  if (isConfig) return response.end(config);
  createReadStream(file, { start, end, highWaterMark: 512 * 1024 }).pipe(response);
});
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
