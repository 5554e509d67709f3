import { createOutputEventList } from './output-events.js';
import type { OutputParser, OutputParserOptions, OutputState } from './output-parser.js';
import { parserOf } from './parser-of.js';
import { partialMatchLength } from './partial-match.js';
import { createTextCursor } from './text-cursor.js';
import type { ToolCallDialect } from './tool-call-dialect.js';
import { type ToolCallOpening, toolCallOpenings } from './tool-call-openings.js';
import type { ToolCallReader } from './tool-call-reader.js';

export interface TaggedOutputOptions extends OutputParserOptions {
  readonly toolCallDialect: Exclude<ToolCallDialect, 'harmony'> | undefined;
}

interface CallInProgress {
  readonly reader: ToolCallReader;
  /** Characters of white space and opening at the start of `undecided`; none once a call was read whole. */
  openingLength: number | undefined;
  /** What was read since the opening, or since the last whole call: plain text, should it turn out to be no call. */
  undecided: string;
}

function leadingSpace(text: string): number {
  return text.length - text.trimStart().length;
}

/** Thoughts and calls that stand between tags in otherwise plain text: every family but one. */
export function createTaggedOutputParser(options: TaggedOutputOptions): OutputParser {
  const { thinkingTags, tools } = options;
  const openings = options.toolCallDialect ? toolCallOpenings(options.toolCallDialect) : { anywhere: [] };
  const openingTexts = openings.anywhere.map(({ text }) => text);
  const startsInsideThinking = options.startsInsideThinking && thinkingTags !== undefined;
  const out = createOutputEventList(options.newCallId);
  const cursor = createTextCursor();

  let state: OutputState = startsInsideThinking ? 'thinking' : 'text';
  /** White space around thoughts and calls belongs to neither them nor the answer. */
  let skipsSpace = startsInsideThinking;
  let answerStarted = false;
  let call: CallInProgress | undefined;

  function emit(length: number): void {
    if (length === 0) return;
    const { text, logprobs } = cursor.take(length);
    if (state === 'text') answerStarted ||= text.trim() !== '';
    out.delta(state === 'thinking' ? 'reasoning-delta' : 'text-delta', text, logprobs);
  }

  function skipSpace(): void {
    if (!skipsSpace) return;
    cursor.drop(leadingSpace(cursor.pending));
    if (cursor.pending !== '') skipsSpace = false;
  }

  /** Emits all but an end that may be the start of a tag, and the white space before it. */
  function emitSafe(tags: readonly string[]): void {
    const { pending } = cursor;
    const sure = pending.slice(0, pending.length - partialMatchLength(pending, tags));
    emit(tags.length === 0 ? sure.length : sure.trimEnd().length);
  }

  function readThinking(close: string): boolean {
    skipSpace();
    const end = cursor.pending.indexOf(close);
    if (end < 0) {
      emitSafe([close]);
      return false;
    }
    emit(cursor.pending.slice(0, end).trimEnd().length);
    cursor.drop(cursor.pending.indexOf(close) + close.length);
    state = 'text';
    skipsSpace = true;
    return true;
  }

  function readText(): boolean {
    skipSpace();
    const start = leadingSpace(cursor.pending);
    const visible = cursor.pending.slice(start);
    if (!answerStarted && thinkingTags) {
      if (visible.startsWith(thinkingTags.open)) {
        cursor.drop(start + thinkingTags.open.length);
        state = 'thinking';
        skipsSpace = true;
        return true;
      }
      if (thinkingTags.open.startsWith(visible)) return false;
    }
    if (!answerStarted && openings.atStart) {
      if (visible === '') return false;
      if (visible.startsWith('{')) {
        enterCall(openings.atStart, start);
        return true;
      }
    }
    const found = openings.anywhere
      .map((opening) => ({ opening, at: cursor.pending.indexOf(opening.text) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)[0];
    if (found) {
      enterCall(found.opening, found.at);
      return true;
    }
    emitSafe(openingTexts);
    return false;
  }

  function enterCall(opening: ToolCallOpening, at: number): void {
    const before = cursor.pending.slice(0, at).trimEnd().length;
    emit(before);
    const openingLength = at - before + opening.text.length;
    const undecided = cursor.pending.slice(0, openingLength);
    cursor.advance(openingLength);
    state = 'tool-call';
    const reader = opening.createReader(
      { start: out.startCall, argumentsText: out.argumentsText, end: out.endCall },
      tools,
    );
    call = { reader, openingLength, undecided };
  }

  function readCall(current: CallInProgress): boolean {
    let read = 0;
    for (const character of cursor.pending) {
      const wasOpen = out.callIsOpen;
      const progress = current.reader.next(character);
      if (out.callIsOpen || wasOpen) {
        current.undecided = '';
        current.openingLength = undefined;
      }
      if (progress === 'more' || progress === 'end') {
        read += character.length;
        if (!out.callIsOpen && !wasOpen) current.undecided += character;
      }
      if (progress === 'more') continue;
      cursor.advance(read);
      leaveCall(current, progress === 'malformed');
      return true;
    }
    cursor.advance(read);
    if (current.undecided === '') cursor.forget();
    return false;
  }

  function leaveCall(current: CallInProgress, malformed: boolean): void {
    state = 'text';
    call = undefined;
    if (!malformed) {
      cursor.forget();
      skipsSpace = true;
      return;
    }
    if (out.callIsOpen) {
      // What has been sent cannot be taken back: the call ends as it is, and the rest is text.
      out.endCall();
      cursor.forget();
      return;
    }
    cursor.rewind(current.undecided);
    if (current.openingLength === undefined) {
      skipsSpace = true;
      return;
    }
    // The opening is text now and opens nothing again; what follows it may hold another one.
    answerStarted = true;
    emit(current.openingLength);
  }

  function process(): void {
    while (cursor.pending !== '') {
      let progressed: boolean;
      if (call) progressed = readCall(call);
      else if (state === 'thinking' && thinkingTags) progressed = readThinking(thinkingTags.close);
      else progressed = readText();
      if (!progressed) return;
    }
  }

  function finish(): void {
    while (call) {
      leaveCall(call, call.reader.finish() === 'malformed');
      process();
    }
    skipSpace();
    emit(state === 'thinking' ? cursor.pending.trimEnd().length : cursor.pending.length);
    cursor.drop(cursor.pending.length);
  }

  return parserOf({ cursor, out, state: () => state, process, finish });
}
