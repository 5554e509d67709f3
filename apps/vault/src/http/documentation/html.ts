/** Text that is already HTML. */
export interface Html {
  readonly html: string;
}

type Part = Html | readonly Html[] | string | number;

/** A template whose parts are made harmless unless they are HTML themselves. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = parts.map((part) => {
    if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
    return 'html' in part ? part.html : part.map((piece) => piece.html).join('');
  });
  return { html: strings.reduce((text, string, index) => text + (pieces[index - 1] ?? '') + string) };
}

export const nothing: Html = { html: '' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
