import { responsesEventSchema } from '@hearth/protocol-types/completions/responses-event';
import {
  type ResponsesRequest,
  responsesRequestSchema,
} from '@hearth/protocol-types/completions/responses-request';
import { expect, test } from '@jest/globals';
import { testModel } from '../../../../test/create-test-app.js';
import { finishEvent, startEvent, textEvents } from '../../../../test/scripted-generator.js';
import { GenerationError } from '../../../generation/generation-error.js';
import type { GenerationEvent } from '../../../generation/generation-event.js';
import { serverSentEvents } from '../../../http/frame-writer.js';
import type { Frame } from '../../../http/stream-renderer.js';
import { responsesExchange } from './responses-exchange.js';

function rendererFor(fields: object = {}) {
  const body = responsesRequestSchema.parse({ model: 'ember', input: 'Hi', stream: true, ...fields });
  return responsesExchange(body as ResponsesRequest, testModel).createStreamRenderer();
}

function framesOf(events: readonly GenerationEvent[]): Frame[] {
  const renderer = rendererFor();
  return [...events.flatMap((event) => renderer.render(event, 0)), ...renderer.end()];
}

/** The bytes on the wire, with ids and times made stable and the whole response left out. */
function bytes(frames: readonly Frame[]): string {
  return frames
    .map((frame) => serverSentEvents.encode(frame))
    .join('')
    .replace(/(resp|msg|rs|fc)_[0-9a-f]{24}/g, '$1_X')
    .replace(/"response":\{.*?\},"sequence_number"/g, '"response":{},"sequence_number"');
}

const thinking: GenerationEvent = { type: 'reasoning-delta', text: 'Hm' };
const call: GenerationEvent[] = [
  { type: 'tool-call-start', index: 0, id: 'call_a', name: 'f' },
  { type: 'tool-call-delta', index: 0, argumentsText: '{"a":' },
  { type: 'tool-call-delta', index: 0, argumentsText: '1}' },
  { type: 'tool-call-end', index: 0 },
];

test('the bytes of a stream with a thought, a text and a call', () => {
  const events = [startEvent, thinking, ...textEvents('Hel', 'lo'), ...call, finishEvent];
  const rs = '"item_id":"rs_X","output_index":0,"summary_index":0';
  const msg = '"item_id":"msg_X","output_index":1,"content_index":0';
  const fc = '"item_id":"fc_X","output_index":2';
  const expected: readonly (readonly [string, string])[] = [
    ['response.created', '"response":{}'],
    ['response.in_progress', '"response":{}'],
    [
      'response.output_item.added',
      '"output_index":0,"item":{"type":"reasoning","id":"rs_X","summary":[],"encrypted_content":null,"status":"in_progress"}',
    ],
    ['response.reasoning_summary_part.added', `${rs},"part":{"type":"summary_text","text":""}`],
    ['response.reasoning_summary_text.delta', `${rs},"delta":"Hm"`],
    ['response.reasoning_summary_text.done', `${rs},"text":"Hm"`],
    ['response.reasoning_summary_part.done', `${rs},"part":{"type":"summary_text","text":"Hm"}`],
    [
      'response.output_item.done',
      '"output_index":0,"item":{"type":"reasoning","id":"rs_X","summary":[{"type":"summary_text","text":"Hm"}],"encrypted_content":null,"status":"completed"}',
    ],
    [
      'response.output_item.added',
      '"output_index":1,"item":{"type":"message","id":"msg_X","status":"in_progress","role":"assistant","content":[]}',
    ],
    [
      'response.content_part.added',
      `${msg},"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}`,
    ],
    ['response.output_text.delta', `${msg},"delta":"Hel","logprobs":[]`],
    ['response.output_text.delta', `${msg},"delta":"lo","logprobs":[]`],
    ['response.output_text.done', `${msg},"text":"Hello","logprobs":[]`],
    [
      'response.content_part.done',
      `${msg},"part":{"type":"output_text","text":"Hello","annotations":[],"logprobs":[]}`,
    ],
    [
      'response.output_item.done',
      '"output_index":1,"item":{"type":"message","id":"msg_X","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hello","annotations":[],"logprobs":[]}]}',
    ],
    [
      'response.output_item.added',
      '"output_index":2,"item":{"type":"function_call","id":"fc_X","call_id":"call_a","name":"f","arguments":"","status":"in_progress"}',
    ],
    ['response.function_call_arguments.delta', `${fc},"delta":"{\\"a\\":"`],
    ['response.function_call_arguments.delta', `${fc},"delta":"1}"`],
    ['response.function_call_arguments.done', `${fc},"name":"f","arguments":"{\\"a\\":1}"`],
    [
      'response.output_item.done',
      '"output_index":2,"item":{"type":"function_call","id":"fc_X","call_id":"call_a","name":"f","arguments":"{\\"a\\":1}","status":"completed"}',
    ],
    ['response.completed', '"response":{}'],
  ];
  const wire = expected.map(
    ([type, rest], number) =>
      `event: ${type}\ndata: {"type":"${type}",${rest},"sequence_number":${number}}\n\n`,
  );
  expect(bytes(framesOf(events))).toBe(wire.join(''));
});

test('every event is one that the clients know', () => {
  for (const { data } of framesOf([startEvent, thinking, ...textEvents('A'), ...call, finishEvent])) {
    expect(responsesEventSchema.parse(data)).toEqual(data);
  }
});

test('the last event holds the whole response, with all its items and its usage', () => {
  const { data } = framesOf([startEvent, ...textEvents('A'), finishEvent]).at(-1) as Frame;
  expect(data).toMatchObject({
    response: {
      status: 'completed',
      output: [{ type: 'message', content: [{ text: 'A' }] }],
      usage: {
        input_tokens: 7,
        output_tokens: 2,
        total_tokens: 9,
        input_tokens_details: { cached_tokens: 3 },
      },
    },
  });
});

test('a response cut by its limit ends incomplete, and so does its last item', () => {
  const cut = { ...finishEvent, reason: { kind: 'max-tokens' } } as GenerationEvent;
  const frames = framesOf([startEvent, ...textEvents('A'), cut]);
  expect(frames.at(-1)).toMatchObject({
    event: 'response.incomplete',
    data: {
      response: {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ status: 'incomplete' }],
      },
    },
  });
});

test('a stream that breaks says so twice: as an error and as a failed response', () => {
  const renderer = rendererFor();
  renderer.render(startEvent, 0);
  const frames = renderer.fail(new GenerationError('engine-crashed', 'gone'), 'req_1');
  expect(frames).toEqual([
    {
      event: 'error',
      data: { type: 'error', code: 'engine_crashed', message: 'gone', param: null, sequence_number: 2 },
    },
    {
      event: 'response.failed',
      data: expect.objectContaining({
        sequence_number: 3,
        response: expect.objectContaining({
          status: 'failed',
          error: { code: 'engine_crashed', message: 'gone' },
        }),
      }),
    },
  ]);
});
