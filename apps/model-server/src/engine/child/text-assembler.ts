const replacement = '�';
/** The longest UTF-8 sequence has four bytes, and a token holds at least one. */
const mostTokensOfOneCharacter = 4;

/** The last few tokens decide whether the next one begins with a space. */
const contextTokens = 4;

type Detokenize = (tokens: readonly number[], before: readonly number[]) => string;

/** Turns tokens into text. A character spread over several tokens comes out once it is whole, never in pieces. */
export class TextAssembler {
  readonly #detokenize: Detokenize;
  #before: readonly number[];
  #pending: number[] = [];

  constructor(detokenize: Detokenize, before: readonly number[]) {
    this.#detokenize = detokenize;
    this.#before = before.slice(-contextTokens);
  }

  push(token: number): string {
    this.#pending.push(token);
    const text = this.#detokenize(this.#pending, this.#before);
    if (text.endsWith(replacement) && this.#pending.length < mostTokensOfOneCharacter) return '';
    this.#settle();
    return text;
  }

  /** What is left at the end: a broken character becomes the replacement character. */
  finish(): string {
    if (this.#pending.length === 0) return '';
    const text = this.#detokenize(this.#pending, this.#before);
    this.#settle();
    return text;
  }

  #settle(): void {
    this.#before = [...this.#before, ...this.#pending].slice(-contextTokens);
    this.#pending = [];
  }
}
