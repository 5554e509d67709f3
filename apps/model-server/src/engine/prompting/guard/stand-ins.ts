import { anyOf, unicodeEscape } from './any-of.js';

// Behind those of the mark in chat-template.ts.
const firstStandIn = 0xe100;
const lastStandIn = 0xf8ff;
const privateUse = /[\uE000-\uF8FF]|\\u([ef][0-9a-f]{3})/gi;

/** The private-use characters that no text holds, neither as such nor as an escape in JSON. */
function* freeStandIns(taken: string): Generator<string, never> {
  const codes = new Set<number>();
  for (const [found, escaped] of taken.matchAll(privateUse)) {
    codes.add(escaped === undefined ? found.charCodeAt(0) : Number.parseInt(escaped, 16));
  }
  for (let code = firstStandIn; code <= lastStandIn; code += 1) {
    if (!codes.has(code)) yield String.fromCharCode(code);
  }
  // A text that holds them all will read a little different; it gets no power by that.
  for (let code = firstStandIn; ; code += 1) yield String.fromCharCode(code);
}

/**
 * One private-use character in place of each character to be marked. One for one, so that whatever a chat template does
 * with a text (trim, cut, change case, count, write as JSON) it does as before, and every marked character can still be
 * told from the same character written by the template.
 */
export class StandIns {
  readonly #marked: RegExp | undefined;
  readonly #used: RegExp | undefined;
  readonly #escaped: readonly (readonly [escaped: string, standIn: string])[];
  readonly #standInOf = new Map<string, string>();
  readonly #originalOf = new Map<string, string>();

  /** `taken` is all text that is going to be marked: a character that occurs in it is no stand-in. */
  constructor(characters: Iterable<string>, taken: string) {
    const free = freeStandIns(taken);
    for (const character of characters) {
      const standIn = free.next().value;
      this.#standInOf.set(character, standIn);
      this.#originalOf.set(standIn, character);
    }
    this.#marked = anyOf(this.#standInOf.keys());
    this.#used = anyOf(this.#originalOf.keys());
    this.#escaped = [...this.#originalOf.keys()].map((standIn) => [unicodeEscape(standIn), standIn]);
  }

  mark(text: string): string {
    return this.#marked ? text.replace(this.#marked, (found) => this.#standInOf.get(found) ?? found) : text;
  }

  unmark(text: string): string {
    return this.#used ? text.replace(this.#used, (found) => this.#originalOf.get(found) ?? found) : text;
  }

  /** A template that writes JSON in pure ASCII has spelled the stand-ins out; here they become one character again. */
  unescape(text: string): string {
    return this.#escaped.reduce((rest, [escaped, standIn]) => rest.replaceAll(escaped, standIn), text);
  }
}
