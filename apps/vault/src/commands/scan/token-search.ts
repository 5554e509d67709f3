import { isWellFormedToken, tokenHint, tokenLength } from '../../crypto/api-token.js';

export interface FoundToken {
  readonly line: number;
  /** In bytes, from 1. */
  readonly column: number;
  /** As lists of tokens show it. The token itself goes no further. */
  readonly hint: string;
}

export interface TokenSearch {
  /** Takes the next piece, one character a byte, and tells which tokens have ended in it. */
  push(piece: string): FoundToken[];
}

// No word boundaries: tokens stand in the middle of addresses and variables. The checksum tells real ones from likeness.
const candidate = /sk-svc-[0-9A-Za-z]{46}/g;

/** Looks for tokens of ours in something that comes in pieces; one may lie across two of them. */
export function createTokenSearch(): TokenSearch {
  let rest = '';
  // Where `rest` begins.
  let line = 1;
  let column = 1;
  return {
    push(piece) {
      const text = rest + piece;
      const found: FoundToken[] = [];
      let at = 0;
      const moveTo = (end: number) => {
        for (let next = text.indexOf('\n', at); next !== -1 && next < end; next = text.indexOf('\n', at)) {
          line += 1;
          column = 1;
          at = next + 1;
        }
        column += end - at;
        at = end;
      };
      let searched = 0;
      for (const { 0: token, index } of text.matchAll(candidate)) {
        if (!isWellFormedToken(token)) continue;
        moveTo(index);
        found.push({ line, column, hint: tokenHint(token) });
        searched = index + token.length;
      }
      moveTo(Math.max(searched, text.length - tokenLength + 1));
      rest = text.slice(at);
      return found;
    },
  };
}
