import { toUSVString } from 'node:util';
import type { LlamaModel, Token } from 'node-llama-cpp';
import { GenerationError } from '../../generation/generation-error.js';
import type { TokenLogprob } from '../../generation/generation-event.js';
import type { PromptPart } from '../../generation/generation-request.js';
import { ControlSpellings } from '../prompting/guard/control-spellings.js';
import type { SampledToken } from './token-source.js';

/**
 * Control tokens that stand for output and not for the frame around it, in all families: marks of thoughts, of tool calls
 * and of channels. The parsers look for their text; turn and role marks stay hidden.
 */
const meaningfulControlToken =
  /think|thought|tool|call|args|arg_|action|function|python_tag|channel|message|constrain|^<\|(start|end)\|>$/i;

/** Token types of a GGUF: what a tokenizer looks for in a text before it splits the rest. */
const unknownType = 2;
const controlType = 3;
const userDefinedType = 4;

/** What the engine asks of a model's vocabulary, free of the binding's types. */
export class Vocabulary {
  readonly #model: LlamaModel;
  readonly #shown = new Map<number, boolean>();
  #bytesOfCharacter: ReadonlyMap<string, number> | undefined;

  constructor(model: LlamaModel) {
    this.#model = model;
  }

  /** A lone surrogate is no text: it becomes the replacement character, as everywhere else in UTF-8. */
  tokenize(text: string, options: { parseSpecial: boolean }): number[] {
    return this.#model.tokenize(toUSVString(text), options.parseSpecial);
  }

  /**
   * The control tokens of this model, for telling markup from text. Vocabularies keep their own words, runs of spaces and
   * HTML tags as user-defined tokens, too: of these, only what the markup mentions is control.
   */
  controlSpellings(markup: string): ControlSpellings {
    const { tokens, token_type: types } = this.#model.fileInfo.metadata.tokenizer.ggml;
    const isControl = (text: string, token: number) => {
      const type = types[token];
      if (type === controlType || type === unknownType) return true;
      return type === userDefinedType && text.trim() !== '' && (markup.includes(text) || this.isEnd(token));
    };
    return new ControlSpellings(tokens.filter(isControl));
  }

  tokenizeParts(parts: readonly PromptPart[], spellings: ControlSpellings): number[] {
    return parts.flatMap(({ kind, text }) =>
      kind === 'markup' ? this.tokenize(text, { parseSpecial: true }) : this.#tokenizePlain(text, spellings),
    );
  }

  /**
   * Some tokens are found in any text, asked for or not: user-defined ones always, and in some vocabularies letters grow
   * together into a control token. A spelling cut in two cannot become one.
   */
  #tokenizePlain(text: string, spellings: ControlSpellings): number[] {
    const cuts = spellings.find(text).map(({ start }) => start + 1);
    const whole = this.tokenize(text, { parseSpecial: false });
    const { tokens } = this.#model.fileInfo.metadata.tokenizer.ggml;
    if (!whole.some((token) => spellings.has(tokens[token] ?? ''))) return whole;
    const parts = [0, ...cuts].map((start, index) => text.slice(start, cuts[index]));
    return parts.flatMap((part, index) =>
      this.#model.tokenize(toUSVString(part), false, index === 0 ? undefined : 'trimLeadingSpace'),
    );
  }

  /** Text of a reply: control tokens are left out unless a parser needs to see them. */
  readonly detokenize = (tokens: readonly number[], before: readonly number[]): string => {
    const shown = tokens.filter((token) => this.#isShown(token));
    if (shown.length === 0) return '';
    return this.#model.detokenize(shown as Token[], true, before as Token[]);
  };

  /** Text of any tokens, control tokens included. */
  detokenizeAll(tokens: readonly number[]): string {
    return this.#model.detokenize(tokens as Token[], true);
  }

  isEnd(token: number): boolean {
    return this.#model.isEogToken(token as Token);
  }

  /** What a prompt must begin with, if the model wants that. */
  get startToken(): number | undefined {
    const { bos, shouldPrependBosToken } = this.#model.tokens;
    return shouldPrependBosToken && bos !== null ? bos : undefined;
  }

  /** Something to start from where there is no text at all. */
  orStart(tokens: readonly number[]): readonly number[] {
    if (tokens.length > 0) return tokens;
    const { bos, eos } = this.#model.tokens;
    const start = bos ?? eos;
    if (start === null)
      throw new GenerationError('invalid-request', 'this model cannot start from an empty prompt');
    return [start];
  }

  /** Token ids from outside: one that the vocabulary does not have would crash the native code. */
  checked(tokens: readonly number[]): readonly number[] {
    const wrong = tokens.find((token) => !Number.isInteger(token) || token < 0 || token >= this.size);
    if (wrong !== undefined) {
      throw new GenerationError('invalid-request', `${wrong} is not a token of this model`);
    }
    return tokens;
  }

  get size(): number {
    return this.#model.fileInfo.metadata.tokenizer.ggml.tokens.length;
  }

  describe(sampled: SampledToken): TokenLogprob | undefined {
    if (sampled.logprob === undefined) return undefined;
    return {
      ...this.#alternative(sampled.token, sampled.logprob),
      top: (sampled.top ?? []).map(({ token, logprob }) => this.#alternative(token, logprob)),
    };
  }

  #alternative(token: number, logprob: number) {
    return { token: this.detokenizeAll([token]), bytes: this.#bytesOf(token), logprob };
  }

  #isShown(token: number): boolean {
    let shown = this.#shown.get(token);
    if (shown === undefined) {
      shown =
        !this.#model.getTokenAttributes(token as Token).control ||
        meaningfulControlToken.test(this.detokenizeAll([token]));
      this.#shown.set(token, shown);
    }
    return shown;
  }

  /** A token may hold part of a character: its bytes then come from the vocabulary, as text cannot carry them. */
  #bytesOf(token: number): readonly number[] {
    const text = this.detokenizeAll([token]);
    if (!text.includes('�')) return [...Buffer.from(text)];
    const raw = this.#model.fileInfo.metadata.tokenizer.ggml.tokens[token] ?? '';
    const hex = /^<0x([0-9A-Fa-f]{2})>$/.exec(raw)?.[1];
    if (hex) return [Number.parseInt(hex, 16)];
    this.#bytesOfCharacter ??= byteLevelAlphabet();
    return [...raw].flatMap((character) => {
      const byte = this.#bytesOfCharacter?.get(character);
      return byte === undefined ? [...Buffer.from(character)] : [byte];
    });
  }
}

/** Byte-level vocabularies spell each byte as one printable character; this is their common alphabet. */
function byteLevelAlphabet(): ReadonlyMap<string, number> {
  const alphabet = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte += 1) {
    const printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    alphabet.set(String.fromCodePoint(printable ? byte : next++), byte);
  }
  return alphabet;
}
