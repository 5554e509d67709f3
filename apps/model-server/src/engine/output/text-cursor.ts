import type { TokenLogprob } from '../../generation/generation-event.js';
import { createLogprobTrack } from './logprob-track.js';

export interface TakenText {
  readonly text: string;
  readonly logprobs: readonly TokenLogprob[] | undefined;
}

/** Text that has come and is not decided yet, and the log-probabilities that belong to it. */
export interface TextCursor {
  readonly pending: string;
  append(text: string, logprobs: readonly TokenLogprob[] | undefined): void;
  /** The next characters, to be shown. */
  take(length: number): TakenText;
  /** The next characters are not shown. */
  drop(length: number): void;
  /** The next characters are read; `rewind` can bring them back until `forget` lets them go. */
  advance(length: number): void;
  rewind(text: string): void;
  forget(): void;
}

export function createTextCursor(): TextCursor {
  const track = createLogprobTrack();
  let pending = '';
  let position = 0;
  let received = 0;

  function advance(length: number): void {
    position += length;
    pending = pending.slice(length);
  }

  return {
    get pending() {
      return pending;
    },
    append(text, logprobs) {
      if (logprobs) track.add(received, received + text.length, logprobs);
      received += text.length;
      pending += text;
    },
    take(length) {
      const text = pending.slice(0, length);
      advance(length);
      return { text, logprobs: text === '' ? undefined : track.take(position) };
    },
    drop(length) {
      advance(length);
      track.drop(position);
    },
    advance,
    rewind(text) {
      position -= text.length;
      pending = text + pending;
    },
    forget() {
      track.drop(position);
    },
  };
}
