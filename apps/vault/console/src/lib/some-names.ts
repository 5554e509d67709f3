const most = 5;

/** The first few names, and how many more there are: enough to know what one is about to do. */
export function someNames(names: readonly string[]): {
  readonly shown: readonly string[];
  readonly more: number;
} {
  // One more name takes no more room than the words that stand for it.
  const shown = names.length === most + 1 ? names : names.slice(0, most);
  return { shown, more: names.length - shown.length };
}
