import { responsesResponseSchema } from '@hearth/protocol-types/completions/responses-response';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestApp } from '../../../../test/create-test-app.js';
import {
  finishEvent,
  type ScriptStep,
  scriptedGenerator,
  startEvent,
  textEvents,
} from '../../../../test/scripted-generator.js';
import type { Message } from '../../../generation/message.js';

const hello = [startEvent, ...textEvents('Hel', 'lo'), finishEvent];

async function respond(fields: object, script: readonly ScriptStep[] = hello, status = 200) {
  const generator = scriptedGenerator(script);
  const { app } = createTestApp({ generator });
  const { body } = await request(app)
    .post('/v1/responses')
    .send({ model: 'ember', input: 'Hi', ...fields })
    .expect(status);
  return { body, wanted: generator.requests[0] };
}

async function conversation(input: unknown, fields: object = {}): Promise<readonly Message[]> {
  const { wanted } = await respond({ input, ...fields });
  return wanted?.prompt.kind === 'chat' ? wanted.prompt.messages : [];
}

describe('the reply', () => {
  test('has every key of a response', async () => {
    const { body } = await respond({ instructions: 'Be brief.', metadata: { a: 'b' } });
    expect(responsesResponseSchema.parse(body)).toEqual(body);
    expect(Object.keys(responsesResponseSchema.shape).filter((key) => !(key in body))).toEqual([]);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^resp_[0-9a-f]{24}$/),
      status: 'completed',
      store: false,
      instructions: 'Be brief.',
      metadata: { a: 'b' },
      output: [
        {
          type: 'message',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
        },
      ],
      usage: { input_tokens: 7, output_tokens: 2, total_tokens: 9 },
    });
  });

  test('tells thoughts, texts and calls as items, in that order', async () => {
    const { body } = await respond({}, [
      startEvent,
      { type: 'reasoning-delta', text: 'Hm' },
      ...textEvents('A'),
      { type: 'tool-call-start', index: 0, id: 'call_a', name: 'f' },
      { type: 'tool-call-delta', index: 0, argumentsText: '{}' },
      { type: 'tool-call-end', index: 0 },
      finishEvent,
    ]);
    expect(body.output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }] },
      { type: 'message', content: [{ text: 'A' }] },
      { type: 'function_call', call_id: 'call_a', name: 'f', arguments: '{}', status: 'completed' },
    ]);
  });
});

describe('the input', () => {
  test('a string is a question, instructions are the system message', async () => {
    expect(await conversation('Hi', { instructions: 'Be brief.' })).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ]);
  });

  test('the items of one turn are one message again', async () => {
    const messages = await conversation([
      { role: 'developer', content: 'D' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Q' }] },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Wait' }] },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'function_call', call_id: 'c2', name: 'g', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'one' },
      { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'two' }] },
    ]);
    expect(messages).toEqual([
      { role: 'system', content: 'D' },
      { role: 'user', content: 'Q' },
      {
        role: 'assistant',
        thinking: 'Hm',
        content: 'Wait',
        toolCalls: [
          { id: 'c1', name: 'f', argumentsText: '{}' },
          { id: 'c2', name: 'g', argumentsText: '{}' },
        ],
      },
      { role: 'tool', content: 'one', toolCallId: 'c1', toolName: 'f' },
      { role: 'tool', content: 'two', toolCallId: 'c2', toolName: 'g' },
    ]);
  });

  test('items of an unknown type are left out', async () => {
    const items = [
      { type: 'web_search_call', id: 'w' },
      { role: 'user', content: 'Hi' },
    ];
    expect(await conversation(items)).toEqual([{ role: 'user', content: 'Hi' }]);
  });
});

describe('the fields', () => {
  const schema = { type: 'object', properties: {} };
  const tool = { type: 'function', name: 'f', parameters: schema, strict: true };

  test.each([
    [{ max_output_tokens: 9 }, { maxTokens: 9 }],
    [{ truncation: 'auto' }, { overflow: 'drop-oldest-messages' }],
    [{ reasoning: { effort: 'low' } }, { thinking: { mode: 'on', effort: 'low' } }],
    [
      { text: { format: { type: 'json_schema', name: 'x', schema } } },
      { format: { kind: 'json-schema', schema } },
    ],
    [{ text: { format: { type: 'json_object' } } }, { format: { kind: 'json' } }],
    [
      { tools: [tool], tool_choice: { type: 'function', name: 'f' } },
      { toolChoice: { kind: 'tool', name: 'f' } },
    ],
    [{ include: ['message.output_text.logprobs'] }, { topLogprobs: 0 }],
    [{ top_logprobs: 3 }, { topLogprobs: 3 }],
    [{ store: false, include: ['reasoning.encrypted_content'] }, { maxTokens: 4096 }],
  ])('%j becomes %j', async (fields, expected) => {
    expect((await respond(fields)).wanted).toMatchObject(expected);
  });

  test('tools that only the hosted API can run are left out, and the reply shows it', async () => {
    const { body, wanted } = await respond({ tools: [{ type: 'web_search' }, tool] });
    expect(wanted?.tools.map(({ name }) => name)).toEqual(['f']);
    expect(body.tools).toEqual([{ ...tool, description: null }]);
  });

  test.each([
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ conversation: 'conv_1' }, 'conversation'],
    [{ background: true }, 'background'],
    [{ store: true }, 'store'],
    [{ prompt: { id: 'p' } }, 'prompt'],
    [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input.0'],
    [
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:,' }] }] },
      'input.0.content.0',
    ],
    [{ input: [] }, 'input'],
    [{ input: null }, 'input'],
    [{ tools: [{ type: 'web_search' }], tool_choice: 'required' }, 'tool_choice'],
  ])('%j is a 400 that names the field', async (fields, param) => {
    const { body } = await respond(fields, hello, 400);
    expect(body.error).toMatchObject({ type: 'invalid_request_error', param });
  });
});

test('the tokens of an input are counted as they would be evaluated', async () => {
  const generator = scriptedGenerator([], { countTokens: async () => 12 });
  const { app } = createTestApp({ generator });
  await request(app)
    .post('/v1/responses/input_tokens')
    .send({ model: 'ember', input: 'Hi' })
    .expect(200, { object: 'response.input_tokens', input_tokens: 12 });
});

test('stored responses cannot be found, and the reply says why', async () => {
  const { app } = createTestApp();
  for (const path of ['/v1/responses/resp_1', '/v1/responses/resp_1/input_items']) {
    const { body } = await request(app).get(path).expect(404);
    expect(body.error).toMatchObject({
      type: 'not_found_error',
      message: expect.stringContaining('keeps no responses'),
    });
  }
});
