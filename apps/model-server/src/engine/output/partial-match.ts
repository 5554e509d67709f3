/** The length of the longest end of `text` with which one of the wanted strings could begin. */
export function partialMatchLength(text: string, wanted: readonly string[]): number {
  let longest = 0;
  for (const string of wanted) {
    for (let length = Math.min(string.length - 1, text.length); length > longest; length -= 1) {
      if (text.endsWith(string.slice(0, length))) {
        longest = length;
        break;
      }
    }
  }
  return longest;
}
