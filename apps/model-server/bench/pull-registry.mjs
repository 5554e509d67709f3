import { createHash } from 'node:crypto';
import { openSync, readSync, statSync } from 'node:fs';
import { createServer } from 'node:http';

// The registry of the pull bench: one model of one file, ranges included. Behind its first megabyte the file is all
// zeros, which are sent from the same memory again and again: about as cheap as a kernel that sends a file by itself.
const [file, digest, networkMegabytes] = process.argv.slice(2);
const bytesPerMs = Number(networkMegabytes) * 1000;
const { size } = statSync(file);
const head = Buffer.alloc(1024 * 1024);
readSync(openSync(file), head, 0, head.length, 0);
const zeros = Buffer.alloc(256 * 1024);
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
  send(response, start, end + 1);
});

/** When the network, as slow as it is to be, is done with all that was sent over it. */
let networkFreeAt = 0;

function send(response, start, end) {
  let at = start;
  const goOn = () => {
    while (at < end) {
      const now = performance.now();
      if (networkFreeAt - now > 1) return setTimeout(goOn, 1);
      const part = at < head.length ? head.subarray(at, end) : zeros.subarray(0, end - at);
      at += part.length;
      networkFreeAt = Math.max(now, networkFreeAt) + part.length / bytesPerMs;
      if (!response.write(part)) return response.once('drain', goOn);
    }
    return response.end();
  };
  goOn();
}

server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
