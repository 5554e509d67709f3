import { messageResponseSchema } from '@hearth/protocol-types/messages/message-response';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { catalogueOf, createTestApp, testModel } from '../../../test/create-test-app.js';
import { finishWith, fullConversation } from '../../../test/event-samples.js';
import {
  finishEvent,
  type ScriptedGenerator,
  scriptedGenerator,
  startEvent,
  textEvents,
} from '../../../test/scripted-generator.js';
import { GenerationError } from '../../generation/generation-error.js';

const hello = [startEvent, ...textEvents('Hel', 'lo'), finishEvent];
const user = { role: 'user', content: 'Hi' };
const small = { model: 'ember', max_tokens: 100, messages: [user] };

function appWith(generator: ScriptedGenerator = scriptedGenerator(hello)) {
  const plain = { ...testModel, name: 'plain:latest', capabilities: ['completion'] as const };
  const embedder = { ...testModel, name: 'embedder:latest', capabilities: ['embedding'] as const };
  const catalogue = catalogueOf(testModel, plain, embedder);
  return { app: createTestApp({ generator, catalogue }).app, generator };
}

describe('POST /alt/v1/messages', () => {
  test('answers with the whole message object', async () => {
    const { app } = appWith(scriptedGenerator(fullConversation));
    const response = await request(app).post('/alt/v1/messages?beta=true').send(small).expect(200);
    expect(messageResponseSchema.parse(response.body)).toEqual(response.body);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-f]{24}$/),
      type: 'message',
      role: 'assistant',
      model: 'ember',
      content: [
        { type: 'thinking', thinking: 'Hmm.', signature: expect.stringMatching(/.{20}/) },
        { type: 'text', text: 'Let me look.', citations: null },
        {
          type: 'tool_use',
          id: 'toolu_0',
          name: 'weather',
          input: { city: 'Lima' },
          caller: { type: 'direct' },
        },
        { type: 'tool_use', id: 'toolu_1', name: 'time', input: {}, caller: { type: 'direct' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: {
        input_tokens: 4,
        output_tokens: 21,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 3,
        cache_creation: null,
        output_tokens_details: { thinking_tokens: 4 },
        server_tool_use: null,
        service_tier: 'standard',
        inference_geo: null,
        speed: null,
      },
    });
    expect(response.headers['request-id']).toMatch(/^req_/);
  });

  test('is served at /v1/messages, too', async () => {
    const { app } = appWith();
    const response = await request(app).post('/v1/messages').send(small).expect(200);
    expect(response.body.content).toEqual([{ type: 'text', text: 'Hello', citations: null }]);
  });

  test('streams when asked to, and only then', async () => {
    const { app } = appWith();
    const response = await request(app)
      .post('/alt/v1/messages')
      .send({ ...small, stream: true })
      .expect(200);
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const names = [...response.text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
    expect(names).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(response.text.endsWith('\n\n')).toBe(true);
  });

  test('turns everything it was asked into one generation', async () => {
    const { app, generator } = appWith();
    await request(app)
      .post('/alt/v1/messages')
      .set('anthropic-version', '2099-01-01')
      .set('anthropic-beta', 'everything')
      .send({
        model: 'ember',
        max_tokens: 2000,
        system: [
          { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'Be kind.' },
        ],
        messages: [
          user,
          {
            role: 'user',
            content: [
              {
                type: 'document',
                source: { type: 'text', media_type: 'text/plain', data: 'abc' },
                title: 'T',
              },
              { type: 'text', text: 'Weather?' },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm', signature: 'x' },
              { type: 'redacted_thinking', data: 'x' },
              { type: 'text', text: 'Looking.' },
              { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Lima' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Well?' },
              { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: '11' }] },
              { type: 'tool_result', tool_use_id: 'toolu_2', content: 'broken', is_error: true },
            ],
          },
          { role: 'system', content: 'Few tokens left.' },
        ],
        temperature: 0.5,
        top_p: 0.4,
        top_k: 3,
        seed: 7,
        frequency_penalty: 0,
        stop_sequences: ['END'],
        stop: 'STOP',
        tools: [{ name: 'weather', description: 'Now', input_schema: { type: 'object' }, strict: true }],
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
        thinking: { type: 'enabled', budget_tokens: 1024 },
        output_config: { effort: 'xhigh', format: { type: 'json_schema', schema: { type: 'object' } } },
        keep_alive: '5m',
        metadata: { user_id: 'u' },
      })
      .expect(200);
    expect(generator.requests[0]).toEqual({
      model: 'ember',
      prompt: {
        kind: 'chat',
        messages: [
          { role: 'system', content: 'Be brief.\n\nBe kind.' },
          { role: 'user', content: 'Hi\n\n<document title="T">\nabc\n</document>\n\nWeather?' },
          {
            role: 'assistant',
            content: 'Looking.',
            thinking: 'Hm',
            toolCalls: [{ id: 'toolu_1', name: 'weather', argumentsText: '{"city":"Lima"}' }],
          },
          { role: 'tool', content: '11', toolCallId: 'toolu_1', toolName: 'weather' },
          { role: 'tool', content: 'broken', toolCallId: 'toolu_2', isError: true },
          { role: 'user', content: 'Well?' },
          { role: 'system', content: 'Few tokens left.' },
        ],
      },
      sampling: {
        temperature: 0.5,
        topP: 0.4,
        topK: 3,
        minP: 0,
        repeatPenalty: 1,
        repeatLastN: 64,
        frequencyPenalty: 0,
        presencePenalty: 0,
        seed: 7,
        logitBias: {},
      },
      maxTokens: 2000,
      stop: ['END', 'STOP'],
      format: { kind: 'json-schema', schema: { type: 'object' } },
      tools: [{ name: 'weather', description: 'Now', parameters: { type: 'object' }, strict: true }],
      toolChoice: { kind: 'required' },
      parallelToolCalls: false,
      thinking: { mode: 'on', budgetTokens: 1024, effort: 'max' },
      overflow: 'error',
      keepAlive: { seconds: 300 },
    });
  });

  test('has the defaults of the specification, max_tokens included', async () => {
    const { app, generator } = appWith();
    await request(app)
      .post('/alt/v1/messages')
      .send({ model: 'ember', messages: [user] })
      .expect(200);
    expect(generator.requests[0]).toMatchObject({
      maxTokens: 4096,
      stop: [],
      sampling: { temperature: 0.7, topP: 0.9, topK: 40, repeatPenalty: 1.1, seed: undefined },
      toolChoice: { kind: 'auto' },
      parallelToolCalls: true,
      thinking: { mode: 'model-default' },
    });
  });

  test('max_tokens 0 only reads the prompt', async () => {
    const script = [startEvent, finishWith({ kind: 'max-tokens' }, { outputTokens: 0 })];
    const { app, generator } = appWith(scriptedGenerator(script));
    const { body } = await request(app)
      .post('/alt/v1/messages')
      .send({ ...small, max_tokens: 0 })
      .expect(200);
    expect(generator.requests[0]?.maxTokens).toBe(0);
    expect(body).toMatchObject({ content: [], stop_reason: 'max_tokens', usage: { output_tokens: 0 } });
  });

  test('says which stop sequence ended it', async () => {
    const finish = finishWith({ kind: 'stop-string', matched: 'END' });
    const { app } = appWith(scriptedGenerator([startEvent, ...textEvents('a'), finish]));
    const { body } = await request(app).post('/alt/v1/messages').send(small);
    expect(body).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'END' });
  });

  test('goes on from a last message by the assistant', async () => {
    const { app, generator } = appWith();
    const messages = [user, { role: 'assistant', content: 'The answer is' }];
    await request(app)
      .post('/alt/v1/messages')
      .send({ ...small, messages });
    expect(generator.requests[0]?.prompt).toMatchObject({
      messages,
      continueLastMessage: true,
    });
  });

  test('asks no thought of a model that cannot think', async () => {
    const { app, generator } = appWith();
    const thinking = { type: 'enabled', budget_tokens: 1024 };
    await request(app)
      .post('/alt/v1/messages')
      .send({ ...small, model: 'plain', max_tokens: 2000, thinking });
    expect(generator.requests[0]?.thinking).toEqual({ mode: 'model-default' });
  });

  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } };
  const withContent = (role: string, ...content: unknown[]) => ({ messages: [{ role, content }] });

  test.each([
    [{ model: undefined }, 'model is required'],
    [{ messages: [] }, 'messages must hold at least one message'],
    [{ max_tokens: -1 }, 'max_tokens must be at least 0'],
    [{ temperature: 2 }, 'temperature must be between 0 and 1'],
    [withContent('user', image), 'messages.0.content.0: this server has no vision'],
    [
      withContent('user', { type: 'tool_result', tool_use_id: 'a', content: [image] }),
      'messages.0.content.0.content.0: this server has no vision',
    ],
    [
      withContent('user', { type: 'document', source: { type: 'url', url: 'http://x' } }),
      'messages.0.content.0.source',
    ],
    [withContent('user', { type: 'server_tool_use' }), 'messages.0.content.0.type must be one of text'],
    [
      withContent('user', { type: 'tool_use', id: 'a', name: 'b', input: {} }),
      'messages.0.content.0.type: tool_use blocks belong into messages of the assistant',
    ],
    [
      withContent('assistant', { type: 'tool_result', tool_use_id: 'a' }),
      'messages.0.content.0.type: tool_result blocks belong into messages of the user',
    ],
    [
      withContent('system', { type: 'document', source: { type: 'text', data: 'a' } }),
      'messages.0.content.0.type must be "text"',
    ],
    [
      withContent('assistant', { type: 'tool_use', id: 'a', name: 'b', input: {} }),
      'messages.0 uses a tool; its tool_result must follow',
    ],
    [
      { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      'tools.0.type: web_search_20250305 is a tool of the hosted service',
    ],
    [
      {
        tools: [
          { name: 'a', input_schema: {} },
          { name: 'a', input_schema: {} },
        ],
      },
      'tools.1.name must be unique',
    ],
    [{ tool_choice: { type: 'any' } }, 'tool_choice asks for a tool'],
    [{ tool_choice: { type: 'tool', name: 'x' } }, 'tool_choice.name must be the name of one of the tools'],
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, 'max_tokens must be greater than'],
    [{ model: 'embedder' }, 'model: "embedder" does not generate text'],
  ])('%j is a 400 that names it', async (fields, text) => {
    const { app, generator } = appWith();
    const response = await request(app)
      .post('/alt/v1/messages')
      .send({ ...small, ...fields })
      .expect(400);
    expect(response.body).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining(text) },
      request_id: response.headers['request-id'],
    });
    expect(generator.requests).toEqual([]);
  });

  test('an unknown model is a 404, an overload a 529 that says when to come back', async () => {
    const full = new GenerationError('overloaded', 'busy', { retryAfterSeconds: 2 });
    const { app } = appWith(scriptedGenerator([full]));
    const unknown = await request(app)
      .post('/alt/v1/messages')
      .send({ ...small, model: 'nope' })
      .expect(404);
    expect(unknown.body.error).toEqual({ type: 'not_found_error', message: "model 'nope' not found" });
    const busy = await request(app)
      .post('/alt/v1/messages')
      .send({ ...small, stream: true })
      .expect(529);
    expect(busy.headers['retry-after']).toBe('2');
    expect(busy.body.error.type).toBe('overloaded_error');
  });

  test('a break in mid-stream is an error event with the id of the request', async () => {
    const broken = new GenerationError('engine-crashed', 'the engine stopped');
    const { app } = appWith(scriptedGenerator([startEvent, ...textEvents('a'), broken]));
    const response = await request(app)
      .post('/alt/v1/messages')
      .send({ ...small, stream: true })
      .expect(200);
    const last = response.text.trimEnd().split('\n\n').at(-1) as string;
    expect(last.split('\n')[0]).toBe('event: error');
    expect(JSON.parse((last.split('\n')[1] as string).slice('data: '.length))).toEqual({
      type: 'error',
      error: { type: 'api_error', message: 'the engine stopped' },
      request_id: response.headers['request-id'],
    });
  });
});

test('POST count_tokens counts the same prompt, and needs no max_tokens', async () => {
  const counted: unknown[] = [];
  const generator = scriptedGenerator([], {
    countTokens: async (asked) => {
      counted.push(asked);
      return 42;
    },
  });
  const { app } = appWith(generator);
  for (const path of ['/alt/v1/messages/count_tokens', '/v1/messages/count_tokens']) {
    await request(app)
      .post(path)
      .send({ model: 'ember', messages: [user], system: 'S' })
      .expect(200, { input_tokens: 42 });
  }
  expect(counted[0]).toMatchObject({
    model: 'ember',
    prompt: { kind: 'chat', messages: [{ role: 'system', content: 'S' }, user] },
    tools: [],
  });
});

describe('models', () => {
  const names = ['a:latest', 'b:latest', 'hub/c:q4', 'd:latest'];
  const { app } = createTestApp({
    catalogue: catalogueOf(...names.map((name) => ({ ...testModel, name }))),
  });
  const listed = ['a:latest', 'b:latest', 'd:latest', 'hub/c:q4'];
  const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

  test('are listed in pages', async () => {
    const first = (await request(app).get('/alt/v1/models?limit=3').expect(200)).body;
    expect(idsOf(first)).toEqual(listed.slice(0, 3));
    expect(first).toMatchObject({ has_more: true, first_id: 'a:latest', last_id: 'd:latest' });
    const second = (await request(app).get('/alt/v1/models?limit=3&after_id=d:latest')).body;
    expect(second).toMatchObject({ has_more: false, first_id: 'hub/c:q4', last_id: 'hub/c:q4' });
    const back = (await request(app).get('/alt/v1/models?limit=1&before_id=d:latest')).body;
    expect(idsOf(back)).toEqual(['b:latest']);
    expect(back.has_more).toBe(true);
  });

  test('have all the fields of the family', async () => {
    const { body } = await request(app).get('/alt/v1/models/a').expect(200);
    expect(body).toEqual({
      type: 'model',
      id: 'a:latest',
      display_name: 'a',
      created_at: '2026-11-01T12:00:00.000Z',
      max_input_tokens: 2048,
      max_tokens: 2048,
    });
  });

  test.each(['hub%2Fc%3Aq4', 'hub/c:q4'])('are found as %s', async (id) => {
    const { body } = await request(app).get(`/alt/v1/models/${id}`).expect(200);
    expect(body.id).toBe('hub/c:q4');
  });

  test.each(['limit=0', 'limit=x', 'limit=1001', 'after_id=nope', 'after_id=a&after_id=b'])(
    '%s is a 400 that names it',
    async (query) => {
      const { body } = await request(app).get(`/alt/v1/models?${query}`).expect(400);
      expect(body.error.message).toContain(query.split('=')[0]);
    },
  );

  test('an unknown one is a 404', async () => {
    const { body } = await request(app).get('/alt/v1/models/nope').expect(404);
    expect(body.error.type).toBe('not_found_error');
  });
});

test.each(['/alt/v1/messages/batches', '/alt/v1/files'])('%s is not offered: 404', async (path) => {
  const { app } = appWith();
  const { body } = await request(app).post(path).send({}).expect(404);
  expect(body).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
});
