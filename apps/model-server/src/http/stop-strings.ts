/** The stop strings of a request. An empty one, which forms send for an empty field, stops nothing and is left out. */
export function stopStrings(
  ...given: readonly (string | readonly string[] | null | undefined)[]
): readonly string[] {
  return [...new Set(given.flatMap((texts) => texts ?? []))].filter((text) => text !== '');
}
