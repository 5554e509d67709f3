import { documentationStyle } from './documentation-style.js';
import { type Html, html, nothing } from './html.js';
import type { DocumentedOperation, OpenApiDocument } from './openapi-document.js';
import { fieldsOf, meaningOf, typeOf } from './schema-text.js';

interface Entry {
  readonly path: string;
  readonly method: string;
  readonly operation: DocumentedOperation;
}

/** The documentation as one page without a script: made here, so that no third party sees who reads it. */
export function documentationPage(document: OpenApiDocument, publicUrl: string): string {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => ({ path, method, operation })),
  );
  const tags = [...new Set(entries.flatMap(({ operation }) => operation.tags))];
  const sections = tags.map((tag) => ({
    tag,
    own: entries.filter(({ operation }) => operation.tags.includes(tag)),
  }));
  const schemas = Object.entries(document.components.schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  const { title, description, version } = document.info;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API</title>
<link rel="icon" href="/hearth.svg">
<style>${{ html: documentationStyle }}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<div class="page">
<nav aria-label="Contents">
<a class="brand" href="/">${title}</a>
<ul>
<li><a href="#begin">Begin</a></li>
${sections.map(contents)}
<li><a href="#Schemas">Schemas</a></li>
</ul>
</nav>
<main id="content">
<h1>${title} API</h1>
<p>${description}</p>
<p class="soft">Version ${version}. For programs: <a href="/api/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
${beginning(publicUrl)}
${sections.map(({ tag, own }) => html`<section><h2 id="${tag}">${tag}</h2>${own.map(article)}</section>`)}
<section><h2 id="Schemas">Schemas</h2>${schemas.map(schema)}</section>
</main>
</div>
</body>
</html>
`.html;
}

function beginning(publicUrl: string): Html {
  return html`<section id="begin"><h2>Begin</h2>
<p>Make a token in the console under <a href="/secrets/tokens">Secrets &gt; Tokens</a>. It goes into every request as a bearer token:</p>
<pre>export HEARTH_VAULT_TOKEN=sk-svc-…
curl -H "Authorization: Bearer $HEARTH_VAULT_TOKEN" ${publicUrl}/api/secrets/vaults</pre>
<p>With the <code>id</code> of a vault from there, write a secret and read it back:</p>
<pre>curl -X PUT -H "Authorization: Bearer $HEARTH_VAULT_TOKEN" -H 'Content-Type: application/json' \\
  -d '{"value": "postgres://…"}' '${publicUrl}/api/secrets/vaults/VAULT_ID/secrets/DATABASE_URL?env=dev'
curl -H "Authorization: Bearer $HEARTH_VAULT_TOKEN" \\
  '${publicUrl}/api/secrets/vaults/VAULT_ID/secrets/DATABASE_URL?env=dev'</pre>
<p>An error is a problem document (<a href="#schema-Problem">Problem</a>) with a <code>code</code> for programs and a sentence for people.</p>
</section>`;
}

function contents({ tag, own }: { readonly tag: string; readonly own: readonly Entry[] }): Html {
  const links = own.map(
    ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
  );
  return html`<li><details><summary>${tag}</summary><ul><li><a href="#${tag}">All of ${tag}</a></li>${links}</ul></details></li>\n`;
}

function article({ path, method, operation }: Entry): Html {
  const { parameters, requestBody, responses, description } = operation;
  const rows = parameters.map(
    ({ name, in: place, required, schema: type, description: about }) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${place}${required ? ', needed' : ''}</td><td>${typeOf(type)}</td><td>${meaningOf(type, about)}</td></tr>`,
  );
  const table = html`<div class="table"><table><thead><tr><th scope="col">Parameter</th><th scope="col">Where</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
  const bodies = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema: body }]) =>
      html`<tr><th scope="row">Body${requestBody?.required ? '' : ', may be left out'}</th><td>${typeOf(body)} <span class="soft">as ${type}</span></td></tr>`,
  );
  const replies = Object.entries(responses).map(([status, reply]) => replyRow(status, reply));
  return html`<article id="${operation.operationId}">
<h3><span class="method method-${method}">${method.toUpperCase()}</span><code>${path}</code></h3>
<p>${operation.summary}.${description === undefined ? '' : ` ${description}`}</p>
<p class="soft">For ${accessText(operation)}.</p>
${parameters.length === 0 ? nothing : table}
<div class="table"><table><tbody>${bodies}${replies}</tbody></table></div>
</article>
`;
}

function replyRow(status: string, reply: unknown): Html {
  if (status === 'default') {
    return html`<tr><th scope="row">Otherwise</th><td>a <a href="#schema-Problem">Problem</a></td></tr>`;
  }
  const { description, content = {} } = reply as {
    readonly description: string;
    readonly content?: Readonly<Record<string, { readonly schema: unknown }>>;
  };
  const [first] = Object.entries(content);
  const body =
    first === undefined
      ? nothing
      : html`: ${first[0] === 'application/json' ? typeOf(first[1].schema) : html`${first[0]}`}`;
  return html`<tr><th scope="row"><code>${status}</code></th><td>${description}${body}</td></tr>`;
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

function schema([name, body]: readonly [string, unknown]): Html {
  return html`<article id="schema-${name}"><h3><code>${name}</code></h3>${fieldsOf(body)}</article>\n`;
}
