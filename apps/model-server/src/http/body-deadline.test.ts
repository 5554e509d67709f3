import { once } from 'node:events';
import { request as send } from 'node:http';
import { listen } from '@hearth/service-kit/listen';
import { expect, test } from '@jest/globals';
import express from 'express';
import { bodyDeadline } from './body-deadline.js';

test('a body that does not come in time is cut, while an upload may take as long as it needs', async () => {
  const app = express();
  app.use(
    bodyDeadline({ wholeBodyMs: 100, silenceMs: 60_000, isUpload: (path) => path.startsWith('/upload') }),
  );
  app.use((request, response) => {
    request.resume();
    request.on('end', () => response.end('taken'));
  });
  const { server, url } = await listen(app, { host: '127.0.0.1', port: 0 });
  try {
    const start = (path: string) => {
      const outgoing = send(url + path, { method: 'POST', headers: { 'content-length': 2 } });
      outgoing.write('a');
      return outgoing;
    };
    const upload = start('/upload');
    const slow = start('/other');
    const [error] = await once(slow, 'error');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    upload.end('b');
    const [response] = await once(upload, 'response');
    expect(response.statusCode).toBe(200);
    response.resume();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}, 30_000);
