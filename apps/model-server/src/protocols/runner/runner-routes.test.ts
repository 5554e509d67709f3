import { debugRenderResponseSchema } from '@hearth/protocol-types/runner/debug-render-response';
import { psResponseSchema } from '@hearth/protocol-types/runner/ps-response';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { catalogueOf, createTestApp, testModel } from '../../../test/create-test-app.js';
import {
  finishEvent,
  type ScriptedGenerator,
  scriptedGenerator,
  startEvent,
  textEvents,
} from '../../../test/scripted-generator.js';
import { GenerationError } from '../../generation/generation-error.js';
import type { LoadedModel } from '../../generation/text-generator.js';

const hello = [startEvent, ...textEvents('Hel', 'lo'), finishEvent];

function appWith(generator: ScriptedGenerator = scriptedGenerator(hello)) {
  const infill = { ...testModel, name: 'coder:latest', capabilities: ['completion', 'insert'] as const };
  const embedder = { ...testModel, name: 'embedder:latest', capabilities: ['embedding'] as const };
  return {
    app: createTestApp({ generator, catalogue: catalogueOf(testModel, infill, embedder) }).app,
    generator,
  };
}

const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('POST /api/generate', () => {
  test('streams lines by default, and the last says done', async () => {
    const { app } = appWith();
    const response = await request(app)
      .post('/api/generate')
      .send({ model: 'ember', prompt: 'Hi' })
      .expect(200);
    expect(response.headers['content-type']).toBe('application/x-ndjson');
    const parsed = lines(response.text);
    expect(parsed.map(({ response: text, done }) => [text, done])).toEqual([
      ['Hel', false],
      ['lo', false],
      ['', true],
    ]);
    expect(parsed.every(({ model }) => model === 'ember')).toBe(true);
  });

  test('streams server-sent events to whoever asks for them by name', async () => {
    const { app } = appWith();
    const response = await request(app)
      .post('/api/generate')
      .set('accept', 'text/event-stream')
      .send({ model: 'ember', prompt: 'Hi', stream: true })
      .expect(200);
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(response.text).toMatch(/^data: \{"model":"ember".*\n\ndata: /);
    expect(JSON.parse(response.text.trimEnd().split('data: ').at(-1) as string)).toMatchObject({
      done: true,
    });
  });

  test.each(['application/json', 'application/x-ndjson', '*/*'])('accept %s gets lines', async (accept) => {
    const { app } = appWith();
    const response = await request(app)
      .post('/api/generate')
      .set('accept', accept)
      .send({ model: 'ember', prompt: 'Hi' });
    expect(response.headers['content-type']).toBe('application/x-ndjson');
  });

  test('answers in one piece when not to stream', async () => {
    const { app } = appWith();
    const response = await request(app)
      .post('/api/generate')
      .send({ model: 'ember', prompt: 'Hi', stream: false })
      .expect(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.body).toMatchObject({
      response: 'Hello',
      done: true,
      done_reason: 'stop',
      eval_count: 2,
    });
  });

  test('reads a body whatever its type is said to be', async () => {
    const { app } = appWith();
    await request(app)
      .post('/api/generate')
      .set('content-type', 'application/x-www-form-urlencoded')
      .send('{"model":"ember","prompt":"Hi","stream":false}')
      .expect(200);
  });

  test('turns everything it was asked into one generation', async () => {
    const { app, generator } = appWith();
    await request(app)
      .post('/api/generate')
      .send({
        model: 'ember',
        prompt: 'Hi',
        system: 'Be brief.',
        stream: false,
        format: { type: 'object' },
        think: 'high',
        keep_alive: '5m',
        truncate: true,
        logprobs: true,
        top_logprobs: 3,
        context: [5, 6],
        options: { temperature: 0, seed: 7, num_predict: 20, stop: ['END'], num_ctx: 1024, top_k: 5 },
      })
      .expect(200);
    expect(generator.requests[0]).toMatchObject({
      model: 'ember',
      prompt: {
        kind: 'chat',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
        contextTokens: [5, 6],
      },
      format: { kind: 'json-schema', schema: { type: 'object' } },
      thinking: { mode: 'on', effort: 'high' },
      keepAlive: { seconds: 300 },
      overflow: 'drop-oldest-messages',
      topLogprobs: 3,
      maxTokens: 20,
      stop: ['END'],
      contextLength: 1024,
      wantContextTokens: true,
      sampling: { temperature: 0, seed: 7, topK: 5, topP: 0.9, repeatPenalty: 1.1 },
    });
  });

  test('has the defaults of the specification, and refuses to cut a prompt silently', async () => {
    const { app, generator } = appWith();
    await request(app).post('/api/generate').send({ model: 'ember', prompt: 'Hi', stream: false });
    expect(generator.requests[0]).toMatchObject({
      maxTokens: 4096,
      stop: [],
      overflow: 'error',
      sampling: { temperature: 0.7, topP: 0.9, topK: 40, repeatPenalty: 1.1, seed: undefined },
      thinking: { mode: 'model-default' },
      format: { kind: 'text' },
    });
  });

  test('raw takes the prompt as it is and gives no context', async () => {
    const { app, generator } = appWith();
    await request(app).post('/api/generate').send({ model: 'ember', prompt: 'Once', raw: true }).expect(200);
    expect(generator.requests[0]).toMatchObject({
      prompt: { kind: 'raw', text: 'Once' },
      wantContextTokens: false,
    });
    const refused = await request(app)
      .post('/api/generate')
      .send({ model: 'ember', prompt: 'Once', raw: true, system: 'x' })
      .expect(400);
    expect(refused.body.error).toBe('raw mode does not support template, system, or context');
  });

  test('a suffix is filled up to by models that can, and refused for others', async () => {
    const { app, generator } = appWith();
    await request(app).post('/api/generate').send({ model: 'coder', prompt: 'a', suffix: 'b' }).expect(200);
    expect(generator.requests[0]?.prompt).toEqual({ kind: 'infill', prefix: 'a', suffix: 'b' });
    const refused = await request(app)
      .post('/api/generate')
      .send({ model: 'ember', prompt: 'a', suffix: 'b' })
      .expect(400);
    expect(refused.body).toEqual({ error: 'ember:latest does not support insert' });
  });

  test('a plain template of the request is honoured, any other refused by name', async () => {
    const { app, generator } = appWith();
    await request(app)
      .post('/api/generate')
      .send({ model: 'ember', prompt: 'Hi', system: 'S', template: '[{{ .System }}] {{ .Prompt }}' })
      .expect(200);
    expect(generator.requests[0]?.prompt).toEqual({
      kind: 'raw',
      parts: [
        { kind: 'markup', text: '[' },
        { kind: 'plain', text: 'S' },
        { kind: 'markup', text: '] ' },
        { kind: 'plain', text: 'Hi' },
        { kind: 'markup', text: '' },
      ],
    });
    const refused = await request(app)
      .post('/api/generate')
      .send({ model: 'ember', prompt: 'Hi', template: '{{ range .Messages }}{{ end }}' })
      .expect(400);
    expect(refused.body.error).toContain('template');
  });

  test.each([
    [{ images: ['aGk='] }, 'images: this server has no vision'],
    [{ shift: true }, 'shift'],
    [{ options: { typical_p: 0.5 } }, 'options.typical_p'],
    [{ options: { repeat_penalty: 0 } }, 'options.repeat_penalty'],
    [{ top_logprobs: 21 }, 'top_logprobs must be between 0 and 20'],
    [{ think: 'very' }, 'think must be'],
    [{ format: 'xml' }, 'format must be'],
    [{ keep_alive: '300' }, 'keep_alive must be'],
    [{ model: '' }, 'model is required'],
    [{ model: undefined }, 'model is required'],
    [{ model: '../etc' }, 'invalid model name'],
  ])('%j is a 400 that names it', async (fields, text) => {
    const { app, generator } = appWith();
    const response = await request(app)
      .post('/api/generate')
      .send({ model: 'ember', prompt: 'Hi', ...fields })
      .expect(400);
    expect(response.body).toEqual({ error: expect.stringContaining(text) });
    expect(generator.requests).toEqual([]);
  });

  test.each([
    ['/api/generate', { prompt: 'Hi' }],
    ['/api/chat', { messages: [{ role: 'user', content: 'Hi' }] }],
  ])('%s with _debug_render_only answers with the prompt and generates nothing', async (path, fields) => {
    const generator = scriptedGenerator(hello, {
      renderPrompt: async ({ prompt }) => `rendered ${prompt.kind}`,
    });
    const { app } = appWith(generator);
    const response = await request(app)
      .post(path)
      .send({ model: 'ember', ...fields, _debug_render_only: true })
      .expect(200);
    expect(debugRenderResponseSchema.parse(response.body)).toEqual(response.body);
    expect(response.body).toMatchObject({
      model: 'ember',
      _debug_info: { rendered_template: 'rendered chat' },
    });
    expect(generator.requests).toEqual([]);
  });

  test.each([
    ['/api/generate', { prompt: 'Hi', stream: false }],
    ['/api/chat', { messages: [{ role: 'user', content: 'Hi' }], stream: true }],
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
  ])('options of the machine are left to the server, and %s says so', async (path, fields) => {
    const { app, generator } = appWith();
    const options = { num_thread: 4, num_gpu: 0, use_mmap: null, temperature: 0 };
    const response = await request(app)
      .post(path)
      .send({ model: 'ember', ...fields, options })
      .expect(200);
    expect(response.headers['hearth-left-to-server']).toBe('num_thread, num_gpu');
    expect(generator.requests[0]?.sampling.temperature).toBe(0);
    const plain = await request(app)
      .post(path)
      .send({ model: 'ember', ...fields })
      .expect(200);
    expect(plain.headers['hearth-left-to-server']).toBeUndefined();
  });

  test.each([
    ['/api/chat', { options: { stop: ['', 'END'] } }],
    ['/v1/chat/completions', { stop: ['', 'END'] }],
    ['/alt/v1/messages', { stop_sequences: ['', 'END'], max_tokens: 5 }],
  ])('an empty stop string stops nothing on %s', async (path, fields) => {
    const { app, generator } = appWith();
    await request(app)
      .post(path)
      .send({ model: 'ember', messages: [{ role: 'user', content: 'Hi' }], ...fields })
      .expect(200);
    expect(generator.requests[0]?.stop).toEqual(['END']);
  });

  test('no body is told from a wrong one', async () => {
    const { app } = appWith();
    const response = await request(app).post('/api/generate').expect(400);
    expect(response.body).toEqual({ error: 'missing request body' });
  });

  test('an unknown model is a 404, and a model that only embeds a 400', async () => {
    const { app } = appWith();
    const unknown = await request(app).post('/api/generate').send({ model: 'nope', prompt: 'a' }).expect(404);
    expect(unknown.body).toEqual({ error: "model 'nope' not found" });
    const silent = await request(app)
      .post('/api/generate')
      .send({ model: 'embedder', prompt: 'a' })
      .expect(400);
    expect(silent.body).toEqual({ error: '"embedder" does not support generate' });
  });

  test('an overload is a 503 that says when to come back', async () => {
    const full = new GenerationError('overloaded', 'server busy', { retryAfterSeconds: 3 });
    const { app } = appWith(scriptedGenerator([full]));
    const response = await request(app)
      .post('/api/generate')
      .send({ model: 'ember', prompt: 'a' })
      .expect(503);
    expect(response.headers['retry-after']).toBe('3');
    expect(response.body).toEqual({ error: 'server busy' });
  });

  test('a break in mid-stream ends with an error line that says done', async () => {
    const broken = new GenerationError('engine-crashed', 'the engine stopped');
    const { app } = appWith(scriptedGenerator([startEvent, ...textEvents('Hel'), broken]));
    const response = await request(app)
      .post('/api/generate')
      .send({ model: 'ember', prompt: 'a' })
      .expect(200);
    expect(lines(response.text).at(-1)).toEqual({ error: 'the engine stopped', done: true });
  });
});

describe('a request without a prompt', () => {
  function recording() {
    const calls: unknown[] = [];
    const generator = scriptedGenerator(hello, {
      load: async (asked) => {
        calls.push(['load', asked]);
        return { loadDurationMs: 1 };
      },
      unload: async (model) => {
        calls.push(['unload', model]);
        return true;
      },
    });
    return { ...appWith(generator), calls };
  }

  test('loads the model', async () => {
    const { app, calls } = recording();
    const response = await request(app)
      .post('/api/generate')
      .send({ model: 'ember', keep_alive: -1, options: { num_ctx: 512 } })
      .expect(200);
    expect(response.body).toEqual({
      model: 'ember',
      created_at: expect.any(String),
      response: '',
      done: true,
      done_reason: 'load',
    });
    expect(calls).toEqual([['load', { model: 'ember:latest', keepAlive: 'forever', contextLength: 512 }]]);
  });

  test('unloads it with keep_alive 0', async () => {
    const { app, calls } = recording();
    const response = await request(app)
      .post('/api/chat')
      .send({ model: 'ember', messages: [], keep_alive: 0 });
    expect(response.body).toMatchObject({
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: 'unload',
    });
    expect(calls).toEqual([['unload', 'ember:latest']]);
  });

  test('does not wait for a busy model to unload', async () => {
    const loaded = { model: 'ember:latest', busy: true } as LoadedModel;
    const generator = scriptedGenerator(hello, {
      unload: () => new Promise(() => undefined),
      listLoaded: () => [loaded],
    });
    const { app } = appWith(generator);
    await request(app).post('/api/generate').send({ model: 'ember', keep_alive: 0 }).expect(200);
  });

  test('embed and embeddings load, too', async () => {
    const { app, calls } = recording();
    await request(app).post('/api/embed').send({ model: 'ember' }).expect({ model: 'ember', embeddings: [] });
    await request(app).post('/api/embeddings').send({ model: 'ember', prompt: '' }).expect({ embedding: [] });
    expect(calls).toHaveLength(2);
  });
});

describe('POST /api/chat', () => {
  test('carries a whole tool conversation', async () => {
    const { app, generator } = appWith();
    await request(app)
      .post('/api/chat')
      .send({
        model: 'ember',
        stream: false,
        messages: [
          { role: 'User', content: 'Weather?' },
          {
            role: 'assistant',
            content: '',
            thinking: 'Hm',
            tool_calls: [{ function: { name: 'weather', arguments: { city: 'Lima' } } }],
          },
          { role: 'tool', content: '11', tool_name: 'weather', tool_call_id: 'call_9' },
        ],
        tools: [
          { type: 'function', function: { name: 'weather', parameters: { type: 'object', $defs: {} } } },
        ],
      })
      .expect(200);
    expect(generator.requests[0]).toMatchObject({
      prompt: {
        messages: [
          { role: 'user', content: 'Weather?' },
          {
            role: 'assistant',
            content: '',
            thinking: 'Hm',
            toolCalls: [{ id: 'call_1_0', name: 'weather', argumentsText: '{"city":"Lima"}' }],
          },
          { role: 'tool', content: '11', toolName: 'weather', toolCallId: 'call_9' },
        ],
      },
      tools: [{ name: 'weather', parameters: { type: 'object', $defs: {} } }],
      toolChoice: { kind: 'auto' },
    });
  });

  test('goes on from a last message by the assistant', async () => {
    const { app, generator } = appWith();
    const messages = [
      { role: 'user', content: 'Capital of France?' },
      { role: 'assistant', content: 'The capital is' },
    ];
    await request(app).post('/api/chat').send({ model: 'ember', messages });
    expect(generator.requests[0]?.prompt).toMatchObject({ continueLastMessage: true });
  });

  test('a model’s own parameters, system text and turns count, below those of the request', async () => {
    const pirate = {
      ...testModel,
      name: 'pirate:latest',
      system: 'Be a pirate.',
      parameters: { temperature: 0.1, top_k: 3 },
      messages: [{ role: 'user', content: 'Ahoy' }],
    };
    const generator = scriptedGenerator(hello);
    const { app } = createTestApp({ generator, catalogue: catalogueOf(pirate) });
    await request(app)
      .post('/api/chat')
      .send({ model: 'pirate', messages: [{ role: 'user', content: 'Hi' }], options: { top_k: 9 } });
    expect(generator.requests[0]).toMatchObject({
      prompt: {
        messages: [
          { role: 'system', content: 'Be a pirate.' },
          { role: 'user', content: 'Ahoy' },
          { role: 'user', content: 'Hi' },
        ],
      },
      sampling: { temperature: 0.1, topK: 9 },
    });
  });

  test('refuses images and thinking where there is none, by name', async () => {
    const { app } = appWith();
    const images = await request(app)
      .post('/api/chat')
      .send({ model: 'ember', messages: [{ role: 'user', content: 'a', images: ['aGk='] }] })
      .expect(400);
    expect(images.body.error).toContain('messages.0.images: this server has no vision');
    const think = await request(app)
      .post('/api/chat')
      .send({ model: 'coder', messages: [{ role: 'user', content: 'a' }], think: true })
      .expect(400);
    expect(think.body.error).toBe('"coder" does not support thinking');
  });
});

describe('embeddings', () => {
  const generator = () =>
    scriptedGenerator([], {
      embed: async (asked) => ({
        vectors: asked.inputs.map(() => (asked.normalize ? [0.6, 0.8] : [3, 4])),
        promptTokens: 5,
        loadDurationMs: 1,
        totalMs: 2,
      }),
    });

  test('POST /api/embed gives one vector for each text', async () => {
    const { app } = appWith(generator());
    const response = await request(app)
      .post('/api/embed')
      .send({ model: 'ember', input: ['a', 'b'] })
      .expect(200);
    expect(response.body).toEqual({
      model: 'ember',
      embeddings: [
        [0.6, 0.8],
        [0.6, 0.8],
      ],
      total_duration: 2_000_000,
      load_duration: 1_000_000,
      prompt_eval_count: 5,
    });
  });

  test('POST /api/embeddings gives the vector as it is', async () => {
    const { app } = appWith(generator());
    await request(app)
      .post('/api/embeddings')
      .send({ model: 'ember', prompt: 'a' })
      .expect(200, { embedding: [3, 4] });
  });

  test('an unknown model is a 404 with the words that clients look for', async () => {
    const { app } = appWith(generator());
    for (const path of ['/api/embed', '/api/embeddings']) {
      const { body } = await request(app).post(path).send({ model: 'nope' }).expect(404);
      expect(body).toEqual({ error: 'model "nope" not found, try pulling it first' });
      await request(app).post(path).send({ model: '' }).expect(400, { error: 'model is required' });
    }
  });

  test('an input that is no text is a 400', async () => {
    const { app } = appWith(generator());
    const response = await request(app).post('/api/embed').send({ model: 'ember', input: 3 }).expect(400);
    expect(response.body.error).toBe('input must be a string or a list of strings');
  });
});

describe('about models', () => {
  test('GET /api/ps shows what is loaded, the longest to stay first', async () => {
    const loaded = (model: string, expiresAt: Date | undefined): LoadedModel => ({
      model,
      sizeBytes: 100,
      sizeVramBytes: 0,
      contextLength: 2048,
      expiresAt,
      busy: false,
    });
    const generator = scriptedGenerator([], {
      listLoaded: () => [
        loaded('ember:latest', new Date('2026-11-15T04:00:00Z')),
        loaded('coder:latest', undefined),
        loaded('gone:latest', undefined),
      ],
    });
    const { app } = appWith(generator);
    const { body } = await request(app).get('/api/ps').expect(200);
    expect(psResponseSchema.parse(body)).toEqual(body);
    expect(body.models.map(({ name, expires_at }: Record<string, string>) => [name, expires_at])).toEqual([
      ['coder:latest', '2318-01-01T00:00:00.000Z'],
      ['ember:latest', '2026-11-15T04:00:00.000Z'],
    ]);
  });

  test('GET /api/version is one that clients accept, with ours beside it', async () => {
    const { app } = appWith();
    const { body } = await request(app).get('/api/version').expect(200);
    expect(body).toEqual({ version: '0.32.15', hearth: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  });

  test('GET and HEAD / say that something runs here', async () => {
    const { app } = appWith();
    const response = await request(app).get('/').expect(200, 'Hearth is running');
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    await request(app).head('/').expect(200);
    await request(app).head('/api/tags').expect(200);
  });
});
