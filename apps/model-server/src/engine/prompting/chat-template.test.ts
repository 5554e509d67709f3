import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  gemmaTemplate,
  llama3Template,
  mistralTemplate,
  qwen3Template,
  r1Template,
} from '../../../test/engine/family-templates.js';
import { readChatTemplate } from '../../../test/engine/read-chat-template.js';
import { GenerationError } from '../../generation/generation-error.js';
import type { Message } from '../../generation/message.js';
import type { Tool } from '../../generation/tool.js';
import { type ChatTemplateInput, createChatTemplate } from './chat-template.js';

const emberTemplate = readChatTemplate(
  path.resolve(import.meta.dirname, '../../../../../models/ember/ember.gguf'),
);

function template(source: string | undefined) {
  return createChatTemplate({
    template: source,
    bosToken: '<s>',
    eosToken: '</s>',
    now: () => new Date(2026, 6, 4, 9, 5),
  });
}

function text(
  source: string | undefined,
  messages: readonly Message[],
  more: Partial<ChatTemplateInput> = {},
) {
  return template(source).render({ messages, addGenerationPrompt: true, ...more }).text;
}

function thrown(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const question: Message = { role: 'user', content: 'Hi' };
const weather: Tool = {
  name: 'get_weather',
  description: 'Current weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const called: readonly Message[] = [
  question,
  {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'call_1', name: 'get_weather', argumentsText: '{"city": "Lima"}' }],
  },
  { role: 'tool', content: '18 degrees', toolCallId: 'call_1' },
];
const calledTwice: readonly Message[] = [
  question,
  {
    role: 'assistant',
    content: 'Both.',
    toolCalls: [
      { id: 'a', name: 'get_weather', argumentsText: '{"city":"Lima"}' },
      { id: 'b', name: 'get_weather', argumentsText: '{"city":"Oslo"}' },
    ],
  },
  { role: 'tool', content: 'cold', toolCallId: 'b' },
  { role: 'tool', content: 'warm', toolCallId: 'a' },
];

describe('the template of the bundled model', () => {
  test('renders turns, a system message in the middle where it stands, and opens the answer', () => {
    const messages: Message[] = [
      { role: 'system', content: 'Be short.' },
      question,
      { role: 'assistant', content: 'Hello.' },
      { role: 'system', content: '100 tokens left' },
      { role: 'user', content: 'Bye' },
    ];
    expect(text(emberTemplate, messages)).toBe(
      '<|im_start|>system\nBe short.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>\n' +
        '<|im_start|>system\n100 tokens left<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n',
    );
  });

  test('shows tools, calls with object arguments and results', () => {
    const prompt = text(emberTemplate, called, { tools: [weather] });
    expect(prompt).toContain(
      '<tools>\n{"type": "function", "function": {"name": "get_weather", "description": "Current weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}\n</tools>',
    );
    expect(prompt).toContain(
      '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Lima"}}\n</tool_call><|im_end|>',
    );
    expect(prompt).toContain('<|im_start|>user\n<tool_response>\n18 degrees\n</tool_response><|im_end|>');
  });

  test('opens the thinking block when thinking is on, and only then', () => {
    const on = template(emberTemplate).render({
      messages: [question],
      addGenerationPrompt: true,
      thinking: { mode: 'on' },
    });
    expect(on.text.endsWith('<|im_start|>assistant\n<think>\n')).toBe(true);
    expect(on.startsInsideThinking).toBe(true);
    for (const mode of ['off', 'model-default'] as const) {
      const other = template(emberTemplate).render({
        messages: [question],
        addGenerationPrompt: true,
        thinking: { mode },
      });
      expect(other.text.endsWith('<|im_start|>assistant\n')).toBe(true);
      expect(other.startsInsideThinking).toBe(false);
    }
  });

  test('says what the model can do', () => {
    expect(template(emberTemplate).capabilities).toEqual({
      tools: true,
      thinking: true,
      thinkingSwitch: true,
      system: true,
      laterSystem: true,
    });
  });
});

describe('a message to be continued', () => {
  const prefill: Message[] = [question, { role: 'assistant', content: 'The answer is ' }];

  test.each([
    ['ember', emberTemplate, '<|im_start|>assistant\nThe answer is '],
    ['Llama 3', llama3Template, '<|start_header_id|>assistant<|end_header_id|>\n\nThe answer is '],
    ['Mistral', mistralTemplate, '[/INST]The answer is '],
    ['Qwen 3', qwen3Template, '<|im_start|>assistant\nThe answer is '],
    ['Gemma', gemmaTemplate, '<start_of_turn>model\nThe answer is '],
    ['no template', undefined, '<|im_start|>assistant\nThe answer is '],
  ])('stays open, its last space kept: %s', (_name, source, end) => {
    expect(text(source, prefill, { continueLastMessage: true }).endsWith(end)).toBe(true);
  });

  test('goes on inside an open thought', () => {
    const messages: Message[] = [question, { role: 'assistant', content: '', thinking: 'First, ' }];
    expect(
      template(emberTemplate).render({
        messages,
        addGenerationPrompt: true,
        continueLastMessage: true,
        thinking: { mode: 'on' },
      }),
    ).toEqual({
      text: '<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n<think>\nFirst, ',
      startsInsideThinking: true,
    });
  });

  test('must be the assistant’s', () => {
    const error = thrown(() => text(emberTemplate, [question], { continueLastMessage: true }));
    expect(error).toMatchObject({ code: 'invalid-request', param: 'messages' });
  });
});

describe('a thinking switch', () => {
  test('of Qwen 3 closes the block when off', () => {
    const off = template(qwen3Template).render({
      messages: [question],
      addGenerationPrompt: true,
      thinking: { mode: 'off' },
    });
    expect(off.text.endsWith('<think>\n\n</think>\n\n')).toBe(true);
    expect(off.startsInsideThinking).toBe(false);
  });

  test('that a template lacks is made up by an empty thought', () => {
    const r1 = template(r1Template);
    expect(r1.capabilities).toMatchObject({ thinking: true, thinkingSwitch: false });
    expect(r1.render({ messages: [question], addGenerationPrompt: true })).toEqual({
      text: '<s><｜User｜>Hi<｜Assistant｜><think>\n',
      startsInsideThinking: true,
    });
    expect(r1.render({ messages: [question], addGenerationPrompt: true, thinking: { mode: 'off' } })).toEqual(
      {
        text: '<s><｜User｜>Hi<｜Assistant｜><think>\n\n</think>\n\n',
        startsInsideThinking: false,
      },
    );
  });

  test('passes the effort on, and the caller’s variables over all', () => {
    const source = '{{ reasoning_effort }} {{ enable_thinking }} {{ mood }} {{ messages[0].content }}';
    const render = (more: Partial<ChatTemplateInput>) => text(source, [question], more);
    expect(render({ thinking: { mode: 'on', effort: 'max' }, variables: { mood: 'calm' } })).toBe(
      'high true calm Hi',
    );
    expect(render({ thinking: { mode: 'on', effort: 'low' }, variables: { enable_thinking: false } })).toBe(
      'low false  Hi',
    );
  });
});

describe('what a template refuses or drops', () => {
  test('two user turns in a row are merged only where the template asks for it', () => {
    const messages: Message[] = [question, { role: 'user', content: 'Still there?' }];
    expect(text(mistralTemplate, messages)).toBe('<s>[INST]Hi\n\nStill there?[/INST]');
    expect(text(qwen3Template, messages)).toContain('Hi<|im_end|>\n<|im_start|>user\nStill there?');
  });

  test('a later system message goes into the user turn after it', () => {
    const messages: Message[] = [
      { role: 'system', content: 'Be kind.' },
      question,
      { role: 'assistant', content: 'Hello.' },
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Bye' },
    ];
    expect(text(mistralTemplate, messages)).toBe(
      '<s>[INST]Be kind.\n\nHi[/INST]Hello.</s>[INST]Be brief.\n\nBye[/INST]',
    );
  });

  test('without a system role the system message goes into the first user turn', () => {
    const messages: Message[] = [{ role: 'system', content: 'Be kind.' }, question];
    expect(text(gemmaTemplate, messages)).toBe(
      '<s><start_of_turn>user\nBe kind.\n\nHi<end_of_turn>\n<start_of_turn>model\n',
    );
    expect(template(gemmaTemplate).capabilities).toMatchObject({ system: false, tools: false });
  });

  test('tools are described in Hermes text, with calls and results as turns', () => {
    const prompt = text(gemmaTemplate, called, { tools: [weather] });
    expect(prompt).toContain('<tools>\n{"type":"function","function":{"name":"get_weather"');
    expect(prompt).toContain(
      '<start_of_turn>model\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Lima"}}\n</tool_call>',
    );
    expect(prompt).toContain('<start_of_turn>user\n<tool_response>\n18 degrees\n</tool_response>');
  });

  test('two calls in a turn are split where only one is allowed, each with its own result', () => {
    const prompt = text(llama3Template, calledTwice, { tools: [weather] });
    const turns = prompt.slice(prompt.indexOf('Hi<|eot_id|>')).match(/Lima|Oslo|warm|cold/g);
    expect(turns).toEqual(['Lima', 'warm', 'Oslo', 'cold']);
    expect(text(qwen3Template, calledTwice, { tools: [weather] }).match(/Lima|Oslo|warm|cold/g)).toEqual([
      'Lima',
      'Oslo',
      'cold',
      'warm',
    ]);
  });

  test('call ids are made to fit, the same on both sides', () => {
    const prompt = text(mistralTemplate, called, { tools: [weather] });
    const ids = [...prompt.matchAll(/"(?:id|call_id)": "([^"]*)"/g)].map((match) => match[1]);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toMatch(/^[a-z0-9]{9}$/);
    expect(ids[1]).toBe(ids[0]);
  });

  test('a refusal that no repair helps is the caller’s error, in the words of the template', () => {
    const error = thrown(() =>
      text("{{ raise_exception('no poems') if messages[0].content == 'poem' else messages[0].content }}", [
        { role: 'user', content: 'poem' },
      ]),
    );
    expect(error).toBeInstanceOf(GenerationError);
    expect(error).toMatchObject({ code: 'invalid-request', message: expect.stringContaining('no poems') });
  });

  test('a template that cannot be parsed is unsupported', () => {
    expect(thrown(() => template('{% for x in %}'))).toMatchObject({ code: 'unsupported' });
  });

  test('arguments that are not JSON come back as they were', () => {
    const messages: Message[] = [
      question,
      { role: 'assistant', content: '', toolCalls: [{ id: 'x', name: 'f', argumentsText: '{oops' }] },
    ];
    expect(text(emberTemplate, messages)).toContain('"arguments": {oops}');
  });
});

test('dates are English and in the template’s format', () => {
  expect(text(llama3Template, [question])).toContain('Today Date: 04 Jul 2026');
});

test('content that looks like Jinja is not run', () => {
  expect(text(emberTemplate, [{ role: 'user', content: '{{ 1 + 1 }}{% raw %}' }])).toContain(
    '{{ 1 + 1 }}{% raw %}',
  );
});
