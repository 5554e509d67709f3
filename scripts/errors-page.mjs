import path from 'node:path';
import { root } from './prepare.mjs';

const dist = (file) => import(path.join(root, 'apps', file));

/** When each error of the model server comes; a code without a line here fails the test of this page. */
const when = {
  'invalid-request': 'a field is missing or has a wrong value; the text names it',
  unsupported: 'the request is understood, and this server or model cannot do it',
  unauthenticated: 'no key, a wrong one, or a header that cannot be read',
  forbidden: 'the key lacks the right, or a page of a foreign origin asks',
  'host-not-allowed': 'the Host header is not one of this machine, on a loopback bind',
  'path-not-found': 'nothing is served at this path',
  'method-not-allowed': 'the path answers other methods',
  'body-too-large': 'the body is over HEARTH_MAX_BODY_MB',
  'unsupported-encoding': 'the body is compressed in a way the server does not read',
  'model-not-found': 'no model of this name is here',
  conflict: 'something else is being done to the same thing',
  'context-overflow': 'the prompt is longer than the context; both counts are told',
  overloaded: 'the queue is full; Retry-After says when to come back',
  'does-not-fit': 'the model needs more memory than there is; both sizes are told',
  'model-unloadable': 'the file is not a model that can be loaded',
  'engine-crashed': 'the process of this model ended; the next request starts it anew',
  'upstream-failed': 'a registry, a vault or another server did not answer as it should',
  cancelled: 'the client left first',
  stopping: 'the server is shutting down',
  internal: 'a fault of ours; the log has its place, the reply has no text of it',
};

/** The page of all errors, made from the tables that the services answer by. */
export async function errorsPage() {
  const { generationErrorCodes, GenerationError } = await dist(
    'model-server/dist/generation/generation-error.js',
  );
  const renderers = await Promise.all(
    ['runner', 'completions', 'messages'].map((family) =>
      dist(`model-server/dist/protocols/${family}/render-error.js`),
    ),
  );
  const { errorCodes } = await dist('vault/dist/errors/error-codes.js');
  const modelServer = generationErrorCodes.map((code) => {
    const [runner, completions, messages] = renderers.map(({ renderError }) =>
      renderError(new GenerationError(code, ''), ''),
    );
    const { type, code: wireCode } = completions.body.error;
    const completionsText = `${completions.status} \`${type}\`${wireCode ? ` \`${wireCode}\`` : ''}`;
    const messagesText = `${messages.status} \`${messages.body.error.type}\``;
    return `| ${when[code] ?? fail(code)} | ${runner.status} | ${completionsText} | ${messagesText} |`;
  });
  const vault = Object.entries(errorCodes).map(
    ([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`,
  );
  return `# Errors

Every error comes from a closed list and is worded for the caller. None holds a stack trace, a prompt, a key or a secret.
Each reply carries a request id that the log line has too.

This page is made from the tables that the services answer by: \`npm run docs\`.

## Model server

The shape is the family's own: \`{"error": "text"}\` below \`/api\`, \`{"error": {message, type, param, code}}\` below \`/v1\`,
\`{"type": "error", "error": {type, message}, "request_id"}\` below \`/alt/v1\`. A stream that has begun ends with the same object as
its last frame.

| when | /api | /v1 | /alt/v1 |
|---|---|---|---|
${modelServer.join('\n')}

## Vault

Problem documents (RFC 9457, \`application/problem+json\`) with \`type\`, \`title\`, \`status\`, \`detail\`, \`code\` and \`request_id\`;
wrong fields are listed under \`errors\` with a JSON pointer.

| code | status | title |
|---|---|---|
${vault.join('\n')}
`;
}

function fail(code) {
  throw new Error(`scripts/errors-page.mjs does not say when ${code} comes`);
}
