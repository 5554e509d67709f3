import { tokenPrefix } from '../crypto/api-token.js';

/** What may be kept of a report: texts of a stranger, cleaned and cut, and never the token itself. */
export interface CleanReport {
  readonly url: string | null;
  readonly type: string | null;
  readonly source: string | null;
}

const longestUrl = 500;
const longestWord = 100;

export function cleanReport(
  token: string,
  report: { readonly url: string; readonly type: string; readonly source: string },
): CleanReport {
  return {
    url: cleanUrl(token, report.url),
    type: cleanWord(token, report.type),
    source: cleanWord(token, report.source),
  };
}

/** An address of the web without a login in it; anything else is left out. What comes out is plain ASCII. */
function cleanUrl(token: string, text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  url.username = '';
  url.password = '';
  return withoutToken(token, readable(url.href)).slice(0, longestUrl);
}

function cleanWord(token: string, text: string): string | null {
  const word = withoutToken(token, text.replace(/[^\x20-\x7e]/g, '?').trim()).slice(0, longestWord);
  return word === '' ? null : word;
}

/** Letters and digits need no escape in an address: behind one, a token would not be seen. */
function readable(address: string): string {
  return address.replace(/%(?:2d|3\d|[46][1-9a-f]|[57][0-9a])/gi, decodeURIComponent);
}

/** Taken out before anything is cut, so that no part of a token is left. */
function withoutToken(token: string, text: string): string {
  return text.replace(/sk-svc-[0-9A-Za-z]*/g, 'sk-svc-…').replaceAll(token.slice(tokenPrefix.length), '…');
}
