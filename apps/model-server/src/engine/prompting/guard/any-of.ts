/** A pattern that finds each of the given characters; none for no characters. */
export function anyOf(characters: Iterable<string>): RegExp | undefined {
  const listed = [...characters].map(unicodeEscape).join('');
  return listed === '' ? undefined : new RegExp(`[${listed}]`, 'g');
}

export function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
