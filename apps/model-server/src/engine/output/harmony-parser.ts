import { createOutputEventList } from './output-events.js';
import type { OutputParser, OutputParserOptions, OutputState } from './output-parser.js';
import { parserOf } from './parser-of.js';
import { partialMatchLength } from './partial-match.js';
import { createTextCursor } from './text-cursor.js';

const messageMark = '<|message|>';
const endMarks = ['<|end|>', '<|call|>', '<|return|>', '<|start|>'];
const headerStarts = ['<|channel|>', '<|start|>', 'assistant', ' to='];

function firstMark(text: string, marks: readonly string[]): { at: number; mark: string } | undefined {
  return marks
    .map((mark) => ({ at: text.indexOf(mark), mark }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0];
}

/**
 * gpt-oss: every message has a header that says what it is (`<|channel|>analysis<|message|>…<|end|>`), and a call is a
 * message to a function. Output that does not begin with a header is plain answer text: the prompt then held it.
 */
export function createHarmonyParser(options: OutputParserOptions): OutputParser {
  const out = createOutputEventList(options.newCallId);
  const cursor = createTextCursor();
  let inHeader: boolean | undefined;
  let state: OutputState = options.startsInsideThinking ? 'thinking' : 'text';
  let sawHeader = false;
  let sentArguments = false;

  function emit(length: number): void {
    if (length === 0) return;
    if (state === 'tool-call') {
      out.argumentsText(cursor.pending.slice(0, length));
      sentArguments = true;
      cursor.drop(length);
      return;
    }
    const { text, logprobs } = cursor.take(length);
    out.delta(state === 'thinking' ? 'reasoning-delta' : 'text-delta', text, logprobs);
  }

  function open(header: string): void {
    const recipient = /\bto=(?:functions\.)?([\w.-]+)/.exec(header)?.[1];
    const offered = options.toolCallDialect !== undefined && recipient !== undefined && recipient !== 'user';
    if (offered) {
      out.startCall(recipient);
      sentArguments = false;
      state = 'tool-call';
    } else state = /<\|channel\|>\s*analysis/.test(header) ? 'thinking' : 'text';
  }

  function endCall(): void {
    if (!out.callIsOpen) return;
    if (!sentArguments) out.argumentsText('{}');
    out.endCall();
  }

  function readHeader(): boolean {
    const end = cursor.pending.indexOf(messageMark);
    if (end < 0) return false;
    open(cursor.pending.slice(0, end));
    cursor.drop(end + messageMark.length);
    inHeader = false;
    sawHeader = true;
    return true;
  }

  function readContent(): boolean {
    if (state === 'tool-call' && !sentArguments) {
      cursor.drop(cursor.pending.length - cursor.pending.trimStart().length);
    }
    const found = firstMark(cursor.pending, endMarks);
    const keepsSpace = state === 'text';
    if (!found) {
      const sure = cursor.pending.slice(
        0,
        cursor.pending.length - partialMatchLength(cursor.pending, endMarks),
      );
      emit(keepsSpace ? sure.length : sure.trimEnd().length);
      return false;
    }
    emit(keepsSpace ? found.at : cursor.pending.slice(0, found.at).trimEnd().length);
    cursor.drop(cursor.pending.indexOf(found.mark) + found.mark.length);
    endCall();
    inHeader = true;
    return true;
  }

  function process(): void {
    while (cursor.pending !== '') {
      if (inHeader === undefined) {
        const { pending } = cursor;
        if (headerStarts.some((start) => pending.startsWith(start))) inHeader = true;
        else if (headerStarts.some((start) => start.startsWith(pending))) return;
        else inHeader = false;
      }
      if (!(inHeader ? readHeader() : readContent())) return;
    }
  }

  function finish(): void {
    // Text that only began like a header is shown; a header that was cut off says nothing.
    const isPlain = !sawHeader && !cursor.pending.startsWith('<|');
    const rest = inHeader !== true || isPlain ? cursor.pending : '';
    if (inHeader) state = 'text';
    emit(state === 'text' ? rest.length : rest.trimEnd().length);
    cursor.drop(cursor.pending.length);
    endCall();
  }

  return parserOf({ cursor, out, state: () => state, process, finish });
}
