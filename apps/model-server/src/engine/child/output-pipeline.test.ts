import { expect, test } from '@jest/globals';
import { createOutputParser } from '../output/output-parser.js';
import { OutputPipeline } from './output-pipeline.js';

const parser = (startsInsideThinking = false) =>
  createOutputParser({
    toolCallDialect: 'hermes',
    tools: [],
    thinkingTags: { open: '<think>', close: '</think>' },
    startsInsideThinking,
    newCallId: () => 'call_1',
  });

const logprob = (token: string) => ({ token, bytes: [], logprob: -1, top: [] });

function feed(pipeline: OutputPipeline, pieces: readonly string[]) {
  return [...pieces.flatMap((piece) => pipeline.push(piece, undefined)), ...pipeline.finish()];
}

const textOf = (events: ReturnType<typeof feed>) =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');

test('a stop string ends the text, and nothing comes after it', () => {
  const pipeline = new OutputPipeline(parser(), ['END']);
  expect(textOf(feed(pipeline, ['one E', 'N', 'D two', ' three']))).toBe('one ');
  expect(pipeline.matched).toBe('END');
});

test('a stop string inside a thought cuts nothing', () => {
  const pipeline = new OutputPipeline(parser(true), ['6']);
  const events = feed(pipeline, ['3 + 3 = 6', '</think>', '\n\nIt is six.']);
  expect(textOf(events)).toBe('It is six.');
  expect(pipeline.matched).toBeUndefined();
});

test('a stop string in the arguments of a call cuts nothing', () => {
  const pipeline = new OutputPipeline(parser(), ['Lima']);
  const events = feed(pipeline, [
    '<tool_call>\n{"name": "w", "arguments": {"city": "Lima"}}',
    '\n</tool_call>',
  ]);
  expect(events.filter((event) => event.type === 'tool-call-end')).toHaveLength(1);
  expect(pipeline.matched).toBeUndefined();
});

test('log-probabilities stay with their text while it is held back', () => {
  const pipeline = new OutputPipeline(parser(), ['abc']);
  expect(pipeline.push('a', logprob('a'))).toEqual([]);
  expect(pipeline.push('b', logprob('b'))).toEqual([]);
  expect(pipeline.push('x', logprob('x'))).toEqual([
    { type: 'text-delta', text: 'abx', logprobs: [logprob('a'), logprob('b'), logprob('x')] },
  ]);
});
