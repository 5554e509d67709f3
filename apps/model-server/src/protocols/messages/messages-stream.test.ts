import { streamEventSchema } from '@hearth/protocol-types/messages/stream-event';
import { expect, test } from '@jest/globals';
import { finishWith, fullConversation, toolCallEvents } from '../../../test/event-samples.js';
import { finishEvent, startEvent, textEvents } from '../../../test/scripted-generator.js';
import { GenerationError } from '../../generation/generation-error.js';
import type { GenerationEvent } from '../../generation/generation-event.js';
import { serverSentEvents } from '../../http/frame-writer.js';
import type { Frame } from '../../http/stream-renderer.js';
import { MessagesStream } from './messages-stream.js';

function framesOf(events: readonly GenerationEvent[]): readonly Frame[] {
  const stream = new MessagesStream({ id: 'msg_1', model: 'ember' });
  return [...events.flatMap((event) => stream.render(event)), ...stream.end()];
}

/** `event: X` and its data, from the short form `X {…}` that reads better here. */
function bytesOf(events: readonly (readonly [string, string])[]): string {
  return events
    .map(([name, rest]) => `event: ${name}\ndata: {"type":"${name}"${rest === '' ? '' : `,${rest}`}}\n\n`)
    .join('');
}

const started =
  '"message":{"id":"msg_1","type":"message","role":"assistant","model":"ember","content":[],"stop_reason":null,' +
  '"stop_sequence":null,"stop_details":null,"container":null,"diagnostics":null,"usage":{"input_tokens":4,' +
  '"output_tokens":1,"cache_creation_input_tokens":0,"cache_read_input_tokens":3,"output_tokens_details":' +
  '{"thinking_tokens":0},"cache_creation":null,"server_tool_use":null,"service_tier":"standard",' +
  '"inference_geo":null,"speed":null}}';

test('a message that thinks, speaks and uses tools, byte for byte', () => {
  const bytes = framesOf(fullConversation)
    .map((frame) => serverSentEvents.encode(frame))
    .join('');
  expect(bytes).toBe(
    bytesOf([
      ['message_start', started],
      ['ping', ''],
      ['content_block_start', '"index":0,"content_block":{"type":"thinking","thinking":"","signature":""}'],
      ['content_block_delta', '"index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}'],
      ['content_block_delta', '"index":0,"delta":{"type":"thinking_delta","thinking":"m."}'],
      [
        'content_block_delta',
        '"index":0,"delta":{"type":"signature_delta","signature":"fyMCyG0AX+1Dl+70E0wsA+tjJCaESfXPl1leYweULDE="}',
      ],
      ['content_block_stop', '"index":0'],
      ['content_block_start', '"index":1,"content_block":{"type":"text","text":""}'],
      ['content_block_delta', '"index":1,"delta":{"type":"text_delta","text":"Let me "}'],
      ['content_block_delta', '"index":1,"delta":{"type":"text_delta","text":"look."}'],
      ['content_block_stop', '"index":1'],
      [
        'content_block_start',
        '"index":2,"content_block":{"type":"tool_use","id":"toolu_0","name":"weather","input":{}}',
      ],
      ['content_block_delta', '"index":2,"delta":{"type":"input_json_delta","partial_json":""}'],
      ['content_block_delta', '"index":2,"delta":{"type":"input_json_delta","partial_json":"{\\"city\\":"}'],
      ['content_block_delta', '"index":2,"delta":{"type":"input_json_delta","partial_json":" \\"Lima\\"}"}'],
      ['content_block_stop', '"index":2'],
      [
        'content_block_start',
        '"index":3,"content_block":{"type":"tool_use","id":"toolu_1","name":"time","input":{}}',
      ],
      ['content_block_delta', '"index":3,"delta":{"type":"input_json_delta","partial_json":""}'],
      ['content_block_delta', '"index":3,"delta":{"type":"input_json_delta","partial_json":"{}"}'],
      ['content_block_stop', '"index":3'],
      [
        'message_delta',
        '"delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":4,"output_tokens":21,' +
          '"cache_creation_input_tokens":0,"cache_read_input_tokens":3,"output_tokens_details":{"thinking_tokens":4}}',
      ],
      ['message_stop', ''],
    ]),
  );
});

test('every event is what the family’s schema says, and its name is its type', () => {
  for (const { event, data } of framesOf(fullConversation)) {
    expect(streamEventSchema.parse(data)).toEqual(data);
    expect(event).toBe((data as { type: string }).type);
  }
});

test('blocks never overlap and count from 0, whatever the order of events', () => {
  const events = [
    startEvent,
    ...textEvents('a'),
    { type: 'reasoning-delta', text: 'b' } as const,
    ...textEvents('c'),
    ...toolCallEvents(0, 'f', ['{']),
    ...textEvents('d'),
    finishEvent,
  ];
  let open: number | undefined;
  let next = 0;
  for (const { data } of framesOf(events)) {
    const { type, index } = data as { type: string; index?: number };
    if (type === 'content_block_start') {
      expect([open, index]).toEqual([undefined, next]);
      open = index;
      next += 1;
    } else if (type === 'content_block_delta') {
      expect(index).toBe(open);
    } else if (type === 'content_block_stop') {
      expect(index).toBe(open);
      open = undefined;
    }
  }
  expect([open, next]).toEqual([undefined, 5]);
});

test.each([
  [{ kind: 'end' }, 'end_turn', null],
  [{ kind: 'stop-string', matched: 'END' }, 'stop_sequence', 'END'],
  [{ kind: 'max-tokens' }, 'max_tokens', null],
  [{ kind: 'context-full' }, 'model_context_window_exceeded', null],
  [{ kind: 'tool-calls' }, 'tool_use', null],
] as const)('finish %j is %s with stop_sequence %p', (reason, stop_reason, stop_sequence) => {
  const frames = framesOf([startEvent, finishWith(reason)]);
  expect(frames.at(-2)?.data).toMatchObject({
    type: 'message_delta',
    delta: { stop_reason, stop_sequence },
  });
});

test('a stream that breaks ends with a named error event that carries the request id', () => {
  const stream = new MessagesStream({ id: 'msg_1', model: 'ember' });
  const frames = stream.fail(new GenerationError('engine-crashed', 'the engine stopped'), 'req_1');
  expect(frames.map((frame) => serverSentEvents.encode(frame))).toEqual([
    'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"the engine stopped"},"request_id":"req_1"}\n\n',
  ]);
});
