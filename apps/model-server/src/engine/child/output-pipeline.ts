import type { TokenLogprob } from '../../generation/generation-event.js';
import type { OutputEvent } from '../output/output-events.js';
import type { OutputParser } from '../output/output-parser.js';
import { createStopStringMatcher, type StopStringMatcher } from '../output/stop-strings.js';

/**
 * From the text of tokens to events. Stop strings are looked for in what the caller sees as text, so that one inside a
 * thought or in the arguments of a call cuts nothing.
 */
export class OutputPipeline {
  readonly #parser: OutputParser;
  readonly #stops: StopStringMatcher;
  #heldLogprobs: TokenLogprob[] = [];
  #matched: string | undefined;

  constructor(parser: OutputParser, stops: readonly string[]) {
    this.#parser = parser;
    this.#stops = createStopStringMatcher(stops);
  }

  /** The stop string that has ended the text. */
  get matched(): string | undefined {
    return this.#matched;
  }

  get state(): OutputParser['state'] {
    return this.#parser.state;
  }

  get toolCallCount(): number {
    return this.#parser.toolCallCount;
  }

  push(text: string, logprob: TokenLogprob | undefined): OutputEvent[] {
    if (text === '' && !logprob) return [];
    return this.#filter(this.#parser.push(text, logprob ? [logprob] : undefined));
  }

  finish(): OutputEvent[] {
    if (this.#matched !== undefined) return [];
    const events = this.#filter(this.#parser.finish());
    if (this.#matched === undefined) this.#release(this.#stops.finish(), events);
    return events;
  }

  #filter(parsed: readonly OutputEvent[]): OutputEvent[] {
    const events: OutputEvent[] = [];
    for (const event of parsed) {
      if (this.#matched !== undefined) break;
      if (event.type !== 'text-delta') {
        // What is held back can be no stop string any more: something else stands between its halves.
        this.#release(this.#stops.finish(), events);
        events.push(event);
        continue;
      }
      if (event.logprobs) this.#heldLogprobs.push(...event.logprobs);
      const { text, matched } = this.#stops.push(event.text);
      this.#matched = matched;
      this.#release(text, events);
    }
    return events;
  }

  #release(text: string, events: OutputEvent[]): void {
    if (text === '') return;
    const logprobs = this.#heldLogprobs;
    this.#heldLogprobs = [];
    events.push({ type: 'text-delta', text, ...(logprobs.length > 0 ? { logprobs } : {}) });
  }
}
