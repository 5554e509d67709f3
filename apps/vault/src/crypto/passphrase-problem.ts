const leastCharacters = 12;

/**
 * Why a passphrase is not taken, to be put behind what it is called; undefined where it is. Its length counts only
 * where it is to seal something: what a shorter one sealed before there was this rule must open.
 */
export function passphraseProblem(
  passphrase: string,
  { seals }: { readonly seals: boolean },
): string | undefined {
  if (passphrase === '') return 'is empty';
  if (passphrase.includes('\n')) return 'has more than one line';
  if (!seals || [...passphrase].length >= leastCharacters) return undefined;
  return `is too short: it must have at least ${leastCharacters} characters`;
}
