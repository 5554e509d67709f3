import type { DocumentedOperation, OpenApiDocument } from './openapi-document.js';

/** The documentation as one page without a script: made here, so that no third party sees who reads it. */
export function documentationPage(document: OpenApiDocument, nonce: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(tag));
    return `<section><h2 id="${escapeHtml(tag)}">${escapeHtml(tag)}</h2>${own.map(article).join('')}</section>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)} API</title>
<style nonce="${escapeHtml(nonce)}">${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(document.info.title)} API</h1>
<p>${escapeHtml(document.info.description)}</p>
<p>The machine-readable form: <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI ${document.openapi}, version ${escapeHtml(document.info.version)}).</p>
<nav aria-label="Sections"><ul>${tags.map((tag) => `<li><a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a></li>`).join('')}</ul></nav>
${sections.join('\n')}
<section><h2 id="Schemas">Schemas</h2>${Object.entries(document.components.schemas).map(schema).join('')}</section>
</main>
</body>
</html>
`;
}

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 1rem; padding: 0; list-style: none; }
article { border-top: 1px solid light-dark(#d5d5d5, #444); padding: .5rem 0 1rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { overflow-x: auto; padding: .75rem; background: light-dark(#f5f5f5, #222); }
table { border-collapse: collapse; } th, td { text-align: left; padding: .2rem 1rem .2rem 0; vertical-align: top; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 600; }
`;

function article({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: DocumentedOperation;
}) {
  const parameters = operation.parameters.map(
    (parameter) =>
      `<tr><td><code>${escapeHtml(parameter.name)}</code></td><td>${parameter.in}${parameter.required ? ', needed' : ''}</td><td>${escapeHtml(parameter.description ?? '')}</td></tr>`,
  );
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(
    ([type, { schema: body }]) => `<li>Body <code>${escapeHtml(type)}</code>: ${named(body)}</li>`,
  );
  const replies = Object.entries(operation.responses).map(([status, reply]) => {
    const { description } = reply as { description: string };
    return `<li><code>${escapeHtml(status)}</code> ${escapeHtml(status === 'default' ? 'A problem document' : description)}</li>`;
  });
  return `<article id="${escapeHtml(operation.operationId)}">
<h3><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p>${escapeHtml(operation.summary)}. ${escapeHtml(operation.description ?? '')}</p>
<p>Access: ${escapeHtml(accessText(operation))}</p>
${parameters.length === 0 ? '' : `<table><thead><tr><th scope="col">Parameter</th><th scope="col">Where</th><th scope="col">Meaning</th></tr></thead><tbody>${parameters.join('')}</tbody></table>`}
<ul>${bodies.join('')}${replies.join('')}</ul>
</article>`;
}

function accessText(operation: DocumentedOperation): string {
  const access = operation['x-access'];
  switch (access.kind) {
    case 'public':
      return 'everyone';
    case 'anyone':
      return 'any token, or a session';
    case 'token':
      return 'any token';
    case 'session':
      return access.fresh ? 'a session with a recent sign-in; never a token' : 'a session; never a token';
    case 'scopes':
      return `a token with ${access.scopes.join(' and ')}, or a session`;
    default:
      return access satisfies never;
  }
}

function named(body: unknown): string {
  const reference = (body as { $ref?: string }).$ref?.split('/').at(-1);
  return reference === undefined
    ? `<code>${escapeHtml(JSON.stringify(body))}</code>`
    : `<a href="#schema-${escapeHtml(reference)}">${escapeHtml(reference)}</a>`;
}

function schema([name, body]: [string, unknown]): string {
  return `<article id="schema-${escapeHtml(name)}"><h3><code>${escapeHtml(name)}</code></h3><pre>${escapeHtml(JSON.stringify(body, null, 2))}</pre></article>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
