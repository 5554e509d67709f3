import { type ChatRequest, chatRequestSchema } from '@hearth/protocol-types/completions/chat-request';
import { describe, expect, test } from '@jest/globals';
import { testModel } from '../../../../test/create-test-app.js';
import { GenerationError } from '../../../generation/generation-error.js';
import type { GenerationRequest } from '../../../generation/generation-request.js';
import { defaultSampling } from '../../../generation/sampling.js';
import { parseChatRequest } from './parse-chat-request.js';

const question = { role: 'user', content: 'Hi' };

function parse(fields: object = {}, model = testModel): GenerationRequest {
  const body = chatRequestSchema.parse({ model: 'ember', messages: [question], ...fields });
  return parseChatRequest(body as ChatRequest, model);
}

function refusal(fields: object, model = testModel): GenerationError {
  try {
    parse(fields, model);
  } catch (error) {
    if (error instanceof GenerationError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

describe('what a request leaves out', () => {
  test('has the defaults of the specification', () => {
    expect(parse()).toEqual({
      model: 'ember',
      prompt: { kind: 'chat', messages: [question] },
      sampling: defaultSampling,
      maxTokens: 4096,
      stop: [],
      format: { kind: 'text' },
      tools: [],
      toolChoice: { kind: 'auto' },
      parallelToolCalls: true,
      thinking: { mode: 'model-default' },
      overflow: 'error',
    });
  });

  test('comes from the model where its maker has chosen', () => {
    const model = { ...testModel, parameters: { temperature: 0.1, stop: ['X'] }, system: 'Be brief.' };
    const request = parse({}, model);
    expect(request.sampling.temperature).toBe(0.1);
    expect(request.stop).toEqual(['X']);
    expect(request.prompt).toMatchObject({ messages: [{ role: 'system', content: 'Be brief.' }, question] });
  });
});

describe('sampling', () => {
  test('an absent frequency_penalty leaves the repeat penalty on', () => {
    expect(parse().sampling).toMatchObject({ repeatPenalty: 1.1, frequencyPenalty: 0 });
    expect(parse({ frequency_penalty: null }).sampling.repeatPenalty).toBe(1.1);
  });

  test('a given frequency_penalty is additive and turns the repeat penalty off', () => {
    expect(parse({ frequency_penalty: 0 }).sampling).toMatchObject({ repeatPenalty: 1, frequencyPenalty: 0 });
    expect(parse({ frequency_penalty: 0.5 }).sampling).toMatchObject({
      repeatPenalty: 1,
      frequencyPenalty: 0.5,
    });
  });

  test('a repeat penalty that is asked for by name counts beside it', () => {
    expect(parse({ frequency_penalty: 0.5, repeat_penalty: 1.3 }).sampling.repeatPenalty).toBe(1.3);
    expect(parse({ repetition_penalty: 1.2 }).sampling.repeatPenalty).toBe(1.2);
  });

  test.each([
    [{ temperature: 0 }, { temperature: 0 }],
    [
      { top_p: 0.5, top_k: -1, min_p: 0.1 },
      { topP: 0.5, topK: 0, minP: 0.1 },
    ],
    [{ presence_penalty: 1 }, { presencePenalty: 1 }],
    [{ seed: 7 }, { seed: 7 }],
    [{ seed: -1 }, { seed: undefined }],
    [{ logit_bias: { '12': -100, '7': 3 } }, { logitBias: { 12: -100, 7: 3 } }],
    [
      { options: { temperature: 0.3, top_k: 5, seed: 3 }, top_k: 9 },
      { temperature: 0.3, topK: 9, seed: 3 },
    ],
  ])('%j becomes %j', (fields, expected) => {
    expect(parse(fields).sampling).toMatchObject(expected);
  });
});

describe('limits', () => {
  test.each([
    [{ max_tokens: 5 }, 5],
    [{ max_completion_tokens: 6 }, 6],
    [{ max_tokens: 5, max_completion_tokens: 3 }, 3],
    [{ max_tokens: -1 }, undefined],
    [{ max_tokens: -1, max_completion_tokens: 3 }, 3],
    [{ options: { num_predict: 9 } }, 9],
    [{ max_tokens: 4, options: { num_predict: 9 } }, 4],
  ])('%j is %p', (fields, expected) => {
    expect(parse(fields).maxTokens).toBe(expected);
  });

  test('stop is a string or a list of any length, without empty ones', () => {
    expect(parse({ stop: 'a' }).stop).toEqual(['a']);
    expect(parse({ stop: ['a', '', 'b', 'c', 'd', 'e'] }).stop).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});

describe('messages', () => {
  const conversation = (messages: object[]) => parse({ messages }).prompt;

  test('developer is system, and parts are one text', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    expect(
      conversation([
        { role: 'developer', content: 'D' },
        { role: 'user', content: parts },
      ]),
    ).toEqual({
      kind: 'chat',
      messages: [
        { role: 'system', content: 'D' },
        { role: 'user', content: 'a\nb' },
      ],
    });
  });

  test('calls and their results are joined by id', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
    const prompt = conversation([
      question,
      { role: 'assistant', content: null, tool_calls: [call], reasoning_content: 'Hm' },
      { role: 'tool', tool_call_id: 'call_1', content: 'done' },
    ]);
    expect(prompt).toMatchObject({
      messages: [
        question,
        {
          role: 'assistant',
          content: '',
          thinking: 'Hm',
          toolCalls: [{ id: 'call_1', name: 'f', argumentsText: '{"a":1}' }],
        },
        { role: 'tool', content: 'done', toolCallId: 'call_1', toolName: 'f' },
      ],
    });
  });

  test('the older form is joined by place', () => {
    const prompt = conversation([
      question,
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: 'done' },
    ]);
    expect(prompt).toMatchObject({
      messages: [
        question,
        { role: 'assistant', toolCalls: [{ id: 'call_1', name: 'f' }] },
        { role: 'tool', content: 'done', toolCallId: 'call_1', toolName: 'f' },
      ],
    });
  });

  test('an answer that was begun is carried on', () => {
    expect(conversation([question, { role: 'assistant', content: 'The' }])).toMatchObject({
      continueLastMessage: true,
    });
  });

  test.each([
    ['image_url', { image_url: { url: 'data:image/png;base64,AA' } }, /no vision/],
    ['input_audio', { input_audio: { data: 'AA', format: 'wav' } }, /audio/],
    ['file', { file: { file_id: 'f' } }, /file/],
  ])('a part of type %s is refused', (type, rest, text) => {
    const error = refusal({ messages: [{ role: 'user', content: [{ type, ...rest }] }] });
    expect(error).toMatchObject({ code: 'unsupported', param: 'messages.0.content.0' });
    expect(error.message).toMatch(text);
  });
});

describe('tools', () => {
  const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } });
  const tools = [tool('f'), tool('g')];
  const names = (request: GenerationRequest) => request.tools.map(({ name }) => name);

  test.each([
    ['none', { kind: 'none' }],
    ['auto', { kind: 'auto' }],
    ['required', { kind: 'required' }],
    [
      { type: 'function', function: { name: 'g' } },
      { kind: 'tool', name: 'g' },
    ],
  ])('tool_choice %j is kept', (choice, expected) => {
    const request = parse({ tools, tool_choice: choice });
    expect(request.toolChoice).toEqual(expected);
    expect(names(request)).toEqual(['f', 'g']);
  });

  test('allowed_tools leaves only those', () => {
    const request = parse({
      tools,
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'g' } }] },
      },
    });
    expect(names(request)).toEqual(['g']);
    expect(request.toolChoice).toEqual({ kind: 'required' });
  });

  test('strict and parallel_tool_calls are carried on', () => {
    const strict = { type: 'function', function: { name: 's', strict: true } };
    const request = parse({ tools: [strict], parallel_tool_calls: false });
    expect(request.tools).toEqual([
      { name: 's', strict: true, parameters: { type: 'object', properties: {} } },
    ]);
    expect(request.parallelToolCalls).toBe(false);
  });

  test('functions and function_call are the older form, one call at a time', () => {
    const request = parse({ functions: [{ name: 'f' }], function_call: { name: 'f' } });
    expect(names(request)).toEqual(['f']);
    expect(request.toolChoice).toEqual({ kind: 'tool', name: 'f' });
    expect(request.parallelToolCalls).toBe(false);
  });

  test.each([
    [{ tools, tool_choice: { type: 'function', function: { name: 'h' } } }, 'tool_choice'],
    [{ tool_choice: 'required' }, 'tool_choice'],
    [{ tools, functions: [{ name: 'f' }] }, 'functions'],
    [{ functions: [{ name: 'f' }], tool_choice: 'auto' }, 'tool_choice'],
    [{ tools, function_call: 'auto' }, 'function_call'],
  ])('%j is refused', (fields, param) => {
    expect(refusal(fields)).toMatchObject({ code: 'invalid-request', param });
  });
});

describe('format, thinking, logprobs', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  test.each([
    [{ type: 'text' }, { kind: 'text' }],
    [{ type: 'json_object' }, { kind: 'json' }],
    [
      { type: 'json_object', schema },
      { kind: 'json-schema', schema },
    ],
    [
      { type: 'json_schema', json_schema: { name: 'x', schema, strict: true } },
      { kind: 'json-schema', schema },
    ],
  ])('response_format %j is %j', (format, expected) => {
    expect(parse({ response_format: format }).format).toEqual(expected);
  });

  test.each([
    [{ reasoning_effort: 'none' }, { mode: 'off' }],
    [{ reasoning_effort: 'minimal' }, { mode: 'on', effort: 'low' }],
    [{ reasoning: { effort: 'high' } }, { mode: 'on', effort: 'high' }],
    [{ reasoning_effort: 'xhigh' }, { mode: 'on', effort: 'max' }],
  ])('%j is %j', (fields, expected) => {
    expect(parse(fields).thinking).toEqual(expected);
  });

  test.each([
    [{ reasoning_effort: 'low' }, 'reasoning_effort'],
    [{ reasoning: { effort: 'low' } }, 'reasoning.effort'],
  ])('%j is refused for a model that does not think', (fields, param) => {
    const plain = { ...testModel, capabilities: ['completion'] as const };
    expect(refusal(fields, plain)).toMatchObject({ code: 'unsupported', param });
    expect(parse({ reasoning_effort: 'none' }, plain).thinking).toEqual({ mode: 'off' });
  });

  test('logprobs alone asks for the chosen tokens, top_logprobs for rivals', () => {
    expect(parse({ logprobs: true }).topLogprobs).toBe(0);
    expect(parse({ logprobs: true, top_logprobs: 5 }).topLogprobs).toBe(5);
    expect(parse({ logprobs: false }).topLogprobs).toBeUndefined();
    expect(refusal({ top_logprobs: 5 })).toMatchObject({ param: 'top_logprobs' });
  });
});

describe('extensions', () => {
  test.each([
    [{ keep_alive: '10m' }, { keepAlive: { seconds: 600 } }],
    [{ keep_alive: -1 }, { keepAlive: 'forever' }],
    [{ ttl: 60 }, { keepAlive: { seconds: 60 } }],
    [{ options: { num_ctx: 512 } }, { contextLength: 512 }],
    [{ prompt_cache_key: 'chat-1' }, { cacheKey: 'chat-1' }],
    [{ id_slot: 2 }, { cacheKey: 'slot-2' }],
    [{ chat_template_kwargs: { think: true } }, { templateVariables: { think: true } }],
  ])('%j becomes %j', (fields, expected) => {
    expect(parse(fields)).toMatchObject(expected);
  });

  test.each([
    [{ typical_p: 0.5 }, 'typical_p'],
    [{ grammar: 'root ::= "a"' }, 'grammar'],
    [{ cache_prompt: false }, 'cache_prompt'],
    [{ timings_per_token: true }, 'timings_per_token'],
    [{ modalities: ['text', 'audio'] }, 'modalities'],
    [{ web_search_options: {} }, 'web_search_options'],
  ])('%j cannot be honoured and is refused by name', (fields, param) => {
    expect(refusal(fields)).toMatchObject({ code: 'unsupported', param });
  });

  test.each([
    { metadata: { a: '1' }, store: false, user: 'u', service_tier: 'auto', safety_identifier: 's' },
    { options: { num_gpu: 1, num_thread: 4 } },
    { typical_p: 1, cache_prompt: true, modalities: ['text'], prediction: { type: 'content', content: 'x' } },
    { a_field_of_next_year: true },
  ])('%j passes', (fields) => {
    expect(parse(fields)).toEqual(parse());
  });
});
