import { anyOf } from './any-of.js';

/** A stretch of a text, its end excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const insideWords = /[\p{L}\p{N}\s]/u;

/** The characters that a spelling cannot do without; marks before letters, because letters fill every text. */
function edgesOf(spelling: string): string[] {
  const marks = Array.from(spelling).filter((character) => !insideWords.test(character));
  return [marks[0] ?? spelling, marks.at(-1) ?? spelling].map((text) => text.charAt(0));
}

/** The texts that a tokenizer reads as one control token each: `<|im_start|>`, `</s>`, `[INST]`. */
export class ControlSpellings {
  readonly #spellings: ReadonlySet<string>;
  /** By first character, the lengths that spellings with it have, longest first. */
  readonly #lengths = new Map<string, readonly number[]>();
  readonly #firsts: RegExp | undefined;
  /** Every spelling has at least one of these characters at its beginning and one at its end. */
  readonly edges: ReadonlySet<string>;

  constructor(spellings: Iterable<string>) {
    this.#spellings = new Set([...spellings].filter((spelling) => spelling !== ''));
    for (const spelling of this.#spellings) {
      const first = spelling.charAt(0);
      const known = this.#lengths.get(first) ?? [];
      if (known.includes(spelling.length)) continue;
      this.#lengths.set(
        first,
        [...known, spelling.length].sort((left, right) => right - left),
      );
    }
    this.#firsts = anyOf(this.#lengths.keys());
    this.edges = new Set([...this.#spellings].flatMap(edgesOf));
  }

  has(text: string): boolean {
    return this.#spellings.has(text);
  }

  /** Where spellings stand, from left to right, without overlaps; of several that begin at one place, the longest. */
  find(text: string): readonly Span[] {
    const found: Span[] = [];
    if (!this.#firsts) return found;
    let free = 0;
    for (const { index: start } of text.matchAll(this.#firsts)) {
      if (start < free) continue;
      const length = this.#lengths
        .get(text.charAt(start))
        ?.find((candidate) => this.#spellings.has(text.slice(start, start + candidate)));
      if (length === undefined) continue;
      free = start + length;
      found.push({ start, end: free });
    }
    return found;
  }
}
