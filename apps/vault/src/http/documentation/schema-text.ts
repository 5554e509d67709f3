import { type Html, html, nothing } from './html.js';

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

/** What a value may be, in one line: its type, a list of it, its choices, or a link to the schema that says so. */
export function typeOf(schema: unknown): Html {
  const { $ref, type, format, enum: choices, const: only, anyOf, items } = schema as JsonSchema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`;
  if (choices !== undefined) {
    return joined(
      choices.map((choice) => html`<code>${String(choice)}</code>`),
      ' or ',
    );
  }
  if (anyOf !== undefined) return joined(anyOf.map(typeOf), ' or ');
  if (items !== undefined) return html`list of ${typeOf(items)}`;
  if (Array.isArray(type)) return html`${type.join(' or ')}`;
  return html`${format ?? String(type ?? 'any')}`;
}

/** The fields of an object as a table; anything else as its line. */
export function fieldsOf(schema: unknown): Html {
  const { properties, required = [] } = schema as JsonSchema;
  if (properties === undefined) return html`<p>${typeOf(schema)}</p>`;
  const rows = Object.entries(properties).map(([name, field]) => {
    const left =
      required.includes(name) || field.default !== undefined
        ? nothing
        : html` <span class="soft">may be left out</span>`;
    return html`<tr><th scope="row"><code>${name}</code></th><td>${typeOf(field)}${left}</td><td>${meaningOf(field)}</td></tr>`;
  });
  return html`<div class="table"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** What it is for, and what holds where it is not given. */
export function meaningOf(schema: unknown, description?: string): Html {
  const { description: own = description ?? '', default: fallback } = schema as JsonSchema;
  if (fallback === undefined) return html`${own}`;
  return html`${own}${own === '' ? '' : '. '}<span class="soft">Default: <code>${JSON.stringify(fallback)}</code></span>`;
}

function joined(parts: readonly Html[], between: string): Html {
  return { html: parts.map(({ html: text }) => text).join(between) };
}
