import { createTokenSearch, type FoundToken } from './token-search.js';

// As git judges: a zero byte near the beginning means that it is no text.
const judgedBytes = 8000;

/** The tokens in a stream of any length; undefined for what is not text, unless it is wanted all the same. */
export async function scanStream(
  stream: AsyncIterable<unknown>,
  options: { readonly evenBinary: boolean },
): Promise<FoundToken[] | undefined> {
  const search = createTokenSearch();
  const found: FoundToken[] = [];
  let isWide: boolean | undefined;
  for await (const chunk of stream) {
    const bytes = chunk as Buffer;
    if (isWide === undefined) {
      isWide = startsWide(bytes);
      if (!isWide && !options.evenBinary && bytes.subarray(0, judgedBytes).includes(0)) return undefined;
    }
    const text = bytes.toString('latin1');
    found.push(...search.push(isWide ? text.replaceAll('\0', '') : text));
  }
  return found;
}

/** UTF-16, as some shells of Windows write it: without its zeros, a token reads as it should. */
function startsWide(bytes: Buffer): boolean {
  const mark = bytes.subarray(0, 2).toString('hex');
  return mark === 'fffe' || mark === 'feff';
}
