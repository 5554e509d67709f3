/** What stands between single or triple quotes, or the text itself. */
export function unquoted(text: string): string {
  if (text.length >= 6 && text.startsWith('"""') && text.endsWith('"""')) return text.slice(3, -3);
  if (text.length >= 2 && text.startsWith('"') && text.endsWith('"')) {
    try {
      return JSON.parse(text) as string;
    } catch {
      return text.slice(1, -1);
    }
  }
  return text;
}

/** Words as a person separates them: by spaces, unless quotes hold several together. */
export function splitWords(text: string): readonly string[] {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|\S+/g)].map(([word]) => unquoted(word));
}
