import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Tool } from '../../generation/tool.js';
import type { OutputEvent } from './output-events.js';
import { createOutputParser, type OutputParserOptions } from './output-parser.js';

const tools: Tool[] = [
  { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  {
    name: 'add',
    parameters: { type: 'object', properties: { a: { type: 'number' }, note: { type: 'string' } } },
  },
];

function parse(pieces: readonly string[], options: Partial<OutputParserOptions> = {}): OutputEvent[] {
  let calls = 0;
  const parser = createOutputParser({
    toolCallDialect: 'hermes',
    tools,
    thinkingTags: { open: '<think>', close: '</think>' },
    startsInsideThinking: false,
    newCallId: () => {
      calls += 1;
      return `call_${calls}`;
    },
    ...options,
  });
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.finish()];
}

/** What a client has at the end: neighbouring deltas joined, so that only meaning is compared, not packaging. */
function meaning(events: readonly OutputEvent[]): unknown[] {
  const result: Record<string, unknown>[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
      const kind = event.type === 'text-delta' ? 'text' : 'reasoning';
      if (last && kind in last) last[kind] += event.text;
      else result.push({ [kind]: event.text });
    } else if (event.type === 'tool-call-start')
      result.push({ call: event.name, id: event.id, args: '', open: true });
    else if (last && event.type === 'tool-call-delta') last['args'] += event.argumentsText;
    else if (last) delete last['open'];
  }
  return result;
}

interface Transcript {
  readonly name: string;
  readonly text: string;
  readonly options?: Partial<OutputParserOptions>;
  readonly means: readonly unknown[];
}

const weather = { call: 'get_weather', id: 'call_1', args: '{"city": "Lima"}' };

const transcripts: readonly Transcript[] = [
  {
    name: 'plain text stays as it is',
    text: ' Hello <b>you</b>,\n\n x < y \n',
    means: [{ text: ' Hello <b>you</b>,\n\n x < y \n' }],
  },
  {
    name: 'thoughts and answer are parted, without the space between',
    text: '<think>\nLet me see.\n\nYes.\n</think>\n\nIt is 5.',
    means: [{ reasoning: 'Let me see.\n\nYes.' }, { text: 'It is 5.' }],
  },
  {
    name: 'a prompt that opened the block needs no opening tag',
    text: '\nHm.</think>Done',
    options: { startsInsideThinking: true },
    means: [{ reasoning: 'Hm.' }, { text: 'Done' }],
  },
  { name: 'an empty thought is no thought', text: '<think>\n\n</think>\n\nHi', means: [{ text: 'Hi' }] },
  {
    name: 'a thought that never ends is all reasoning',
    text: '<think>and then </thi',
    means: [{ reasoning: 'and then </thi' }],
  },
  {
    name: 'a thinking tag in the middle of an answer is text',
    text: 'The tag <think> opens.',
    means: [{ text: 'The tag <think> opens.' }],
  },
  {
    name: 'other thinking tags',
    text: '[THINK]So.[/THINK]Yes',
    options: { thinkingTags: { open: '[THINK]', close: '[/THINK]' } },
    means: [{ reasoning: 'So.' }, { text: 'Yes' }],
  },
  {
    name: 'a Hermes call',
    text: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Lima"}}\n</tool_call>',
    means: [weather],
  },
  {
    name: 'thought, text and two Hermes calls',
    text: '<think>Two.</think>\nI look.\n<tool_call>{"name":"get_weather","arguments":{"city":"Lima"}}</tool_call>\n<tool_call>\n{"name":"add","arguments":{"a":[1,{"b":"}\\"</tool_call>"}]}}\n</tool_call>\n',
    means: [
      { reasoning: 'Two.' },
      { text: 'I look.' },
      { ...weather, args: '{"city":"Lima"}' },
      { call: 'add', id: 'call_2', args: '{"a":[1,{"b":"}\\"</tool_call>"}]}' },
    ],
  },
  {
    name: 'arguments before the name wait for it',
    text: '<tool_call>{"arguments": {"a": 1.5e3}, "name": "add"}</tool_call>',
    means: [{ call: 'add', id: 'call_1', args: '{"a": 1.5e3}' }],
  },
  {
    name: 'arguments as a JSON string are unpacked',
    text: '<tool_call>{"name": "add", "arguments": "{\\"a\\": 1}"}</tool_call>',
    means: [{ call: 'add', id: 'call_1', args: '{"a": 1}' }],
  },
  {
    name: 'a call without arguments has empty ones',
    text: '<tool_call>{"name": "add"}</tool_call>',
    means: [{ call: 'add', id: 'call_1', args: '{}' }],
  },
  {
    name: 'null arguments are empty ones',
    text: '<tool_call>{"name": "add", "arguments": null}</tool_call>',
    means: [{ call: 'add', id: 'call_1', args: '{}' }],
  },
  {
    name: 'a call whose closing tag is missing counts',
    text: 'Ok <tool_call>{"name": "add", "arguments": {}}',
    means: [{ text: 'Ok' }, { call: 'add', id: 'call_1', args: '{}' }],
  },
  {
    name: 'two calls inside one pair of tags',
    text: '<tool_call>\n{"name": "add", "arguments": {}}\n{"name": "add", "arguments": {"a":2}}\n</tool_call>',
    means: [
      { call: 'add', id: 'call_1', args: '{}' },
      { call: 'add', id: 'call_2', args: '{"a":2}' },
    ],
  },
  {
    name: 'text that only mentions the tag is text',
    text: 'Use <tool_call> to call,\n <tool_call>{"x": 1}</tool_call>!',
    means: [{ text: 'Use <tool_call> to call,\n <tool_call>{"x": 1}</tool_call>!' }],
  },
  {
    name: 'a broken call followed by a good one',
    text: '<tool_call>{name: add}</tool_call>\n<tool_call>{"name": "add", "arguments": {}}</tool_call>',
    means: [{ text: '<tool_call>{name: add}</tool_call>' }, { call: 'add', id: 'call_1', args: '{}' }],
  },
  {
    name: 'a call cut off inside its arguments ends as it is',
    text: '<tool_call>{"name": "add", "arguments": {"a": 1',
    means: [{ call: 'add', id: 'call_1', args: '{"a": 1' }],
  },
  {
    name: 'a call cut off before its name is text',
    text: ' Well <tool_call>{"na',
    means: [{ text: ' Well <tool_call>{"na' }],
  },
  {
    name: 'arguments that stop being JSON end the call and the rest is text',
    text: '<tool_call>{"name": "add", "arguments": {"a": oops}}',
    means: [{ call: 'add', id: 'call_1', args: '{"a": ' }, { text: 'oops}}' }],
  },
  {
    name: 'arguments that are no object make no call',
    text: '<tool_call>{"arguments": [1], "name": "add"}</tool_call>',
    means: [{ text: '<tool_call>{"arguments": [1], "name": "add"}</tool_call>' }],
  },
  {
    name: 'text after a call is kept',
    text: '<tool_call>{"name": "add", "arguments": {}}</tool_call>\n\nDone.',
    means: [{ call: 'add', id: 'call_1', args: '{}' }, { text: 'Done.' }],
  },
  {
    name: 'without a dialect call text is plain text',
    text: 'x\n<tool_call>{"name": "add", "arguments": {}}</tool_call>',
    options: { toolCallDialect: undefined },
    means: [{ text: 'x\n<tool_call>{"name": "add", "arguments": {}}</tool_call>' }],
  },
  {
    name: 'Qwen XML',
    text: '<tool_call>\n<function=add>\n<parameter=a>\n3\n</parameter>\n<parameter=note>\n12 "<b>"\nnext\n</parameter>\n</function>\n</tool_call>',
    options: { toolCallDialect: 'qwen-xml' },
    means: [{ call: 'add', id: 'call_1', args: '{"a": 3, "note": "12 \\"<b>\\"\\nnext"}' }],
  },
  {
    name: 'Qwen XML without parameters',
    text: '<tool_call><function=add></function></tool_call>',
    options: { toolCallDialect: 'qwen-xml' },
    means: [{ call: 'add', id: 'call_1', args: '{}' }],
  },
  {
    name: 'Qwen XML that is none',
    text: '<tool_call><function add></tool_call>',
    options: { toolCallDialect: 'qwen-xml' },
    means: [{ text: '<tool_call><function add></tool_call>' }],
  },
  {
    name: 'Llama 3 JSON as the whole answer',
    text: '{"name": "get_weather", "parameters": {"city": "Lima"}}',
    options: { toolCallDialect: 'llama3-json' },
    means: [weather],
  },
  {
    name: 'Llama 3 JSON after the python tag, two calls',
    text: '<|python_tag|>{"name": "add", "parameters": {"a": 1}}; {"name": "add", "parameters": {}}',
    options: { toolCallDialect: 'llama3-json' },
    means: [
      { call: 'add', id: 'call_1', args: '{"a": 1}' },
      { call: 'add', id: 'call_2', args: '{}' },
    ],
  },
  {
    name: 'JSON that names no offered tool is an answer',
    text: '{"name": "Tom", "parameters": {"age": 3}}',
    options: { toolCallDialect: 'llama3-json' },
    means: [{ text: '{"name": "Tom", "parameters": {"age": 3}}' }],
  },
  {
    name: 'JSON of another shape is an answer',
    text: '\n{"age": 45}',
    options: { toolCallDialect: 'llama3-json' },
    means: [{ text: '\n{"age": 45}' }],
  },
  {
    name: 'Mistral array',
    text: '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Lima"}}, {"name": "add", "arguments": {"a": 2}}]',
    options: { toolCallDialect: 'mistral-array' },
    means: [weather, { call: 'add', id: 'call_2', args: '{"a": 2}' }],
  },
  {
    name: 'Mistral names and arguments',
    text: 'Ok.[TOOL_CALLS]get_weather[ARGS]{"city": "Lima"}[TOOL_CALLS]add[CALL_ID]abc123def[ARGS]{}',
    options: { toolCallDialect: 'mistral-args' },
    means: [{ text: 'Ok.' }, weather, { call: 'add', id: 'call_2', args: '{}' }],
  },
  {
    name: 'Mistral tag without a call',
    text: '[TOOL_CALLS] are nice',
    options: { toolCallDialect: 'mistral-args' },
    means: [{ text: '[TOOL_CALLS] are nice' }],
  },
  {
    name: 'an array after a tag',
    text: '<|tool_call|>[{"name": "add", "arguments": {}}]<|/tool_call|>',
    options: { toolCallDialect: 'tagged-array' },
    means: [{ call: 'add', id: 'call_1', args: '{}' }],
  },
  {
    name: 'GLM keys and values',
    text: '<tool_call>add\n<arg_key>a</arg_key>\n<arg_value>3</arg_value>\n<arg_key>note</arg_key>\n<arg_value>3 < 4</arg_value>\n</tool_call>\n<tool_call>add</tool_call>',
    options: { toolCallDialect: 'glm-xml' },
    means: [
      { call: 'add', id: 'call_1', args: '{"a": 3, "note": "3 < 4"}' },
      { call: 'add', id: 'call_2', args: '{}' },
    ],
  },
  {
    name: 'GLM that is none',
    text: '<tool_call> is a tag',
    options: { toolCallDialect: 'glm-xml' },
    means: [{ text: '<tool_call> is a tag' }],
  },
  {
    name: 'DeepSeek, two calls',
    text: 'Ok.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Lima"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    options: { toolCallDialect: 'deepseek' },
    means: [{ text: 'Ok.' }, weather, { call: 'add', id: 'call_2', args: '{}' }],
  },
  {
    name: 'DeepSeek with fenced arguments, and no end',
    text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Lima"}\n```<｜tool▁call▁end｜>',
    options: { toolCallDialect: 'deepseek' },
    means: [weather],
  },
  {
    name: 'DeepSeek that is none',
    text: '<｜tool▁calls▁begin｜>x',
    options: { toolCallDialect: 'deepseek' },
    means: [{ text: '<｜tool▁calls▁begin｜>x' }],
  },
  {
    name: 'Command R',
    text: '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Lima"}}\n]<|END_ACTION|>',
    options: { toolCallDialect: 'command-r' },
    means: [weather],
  },
  {
    name: 'channels',
    text: '<|channel|>analysis<|message|>Need weather.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Lima"}<|call|>',
    options: { toolCallDialect: 'harmony', thinkingTags: undefined },
    means: [{ reasoning: 'Need weather.' }, weather],
  },
  {
    name: 'channels with a final answer',
    text: '<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>It is < 5.<|return|>',
    options: { toolCallDialect: 'harmony', thinkingTags: undefined },
    means: [{ reasoning: 'Easy.' }, { text: 'It is < 5.' }],
  },
  {
    name: 'text that only begins like a header',
    text: 'assistants are helpful',
    options: { toolCallDialect: 'harmony', thinkingTags: undefined },
    means: [{ text: 'assistants are helpful' }],
  },
  {
    name: 'an answer already opened by the prompt',
    text: 'as I said',
    options: { toolCallDialect: 'harmony', thinkingTags: undefined },
    means: [{ text: 'as I said' }],
  },
];

describe('an output parser', () => {
  test.each(transcripts.map((transcript) => [transcript.name, transcript] as const))(
    '%s',
    (_name, { text, options, means }) => {
      expect(meaning(parse([text], options))).toEqual(means);
    },
  );

  test.each(transcripts.map((transcript) => [transcript.name, transcript] as const))(
    'means the same for every cut in two and for single characters: %s',
    (_name, { text, options, means }) => {
      for (let at = 1; at < text.length; at += 1) {
        expect(meaning(parse([text.slice(0, at), text.slice(at)], options))).toEqual(means);
      }
      expect(meaning(parse([...text], options))).toEqual(means);
    },
  );

  test('means the same for any text and any cuts', () => {
    const part = fc.constantFrom(
      '<think>',
      '</think>',
      '<tool_call>',
      '</tool_call>',
      '{"name": "add", "arguments": ',
      '{"a": 1}',
      '}',
      '[',
      ']',
      ',',
      ' ',
      '\n',
      'word',
      '"',
      '\\',
      '<',
      '{',
      '<function=add>',
      '<parameter=a>',
      '</parameter>',
      '</function>',
      '[TOOL_CALLS]',
      'add[ARGS]',
      '<|python_tag|>',
      '<|channel|>',
      'final',
      '<|message|>',
      '<|end|>',
      '😀',
      '<arg_key>',
      '</arg_key>',
      '<arg_value>',
      '</arg_value>',
      '<｜tool▁calls▁begin｜>',
      '<｜tool▁call▁begin｜>',
      'add<｜tool▁sep｜>',
      '<｜tool▁call▁end｜>',
      '```',
    );
    const dialects = [
      'hermes',
      'qwen-xml',
      'llama3-json',
      'mistral-array',
      'mistral-args',
      'harmony',
      undefined,
    ] as const;
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 14 }),
        fc.constantFrom(...dialects),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 }),
        (parts, toolCallDialect, startsInsideThinking, sizes) => {
          const text = parts.join('');
          const pieces: string[] = [];
          for (let at = 0, turn = 0; at < text.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            pieces.push(text.slice(at, at + size));
            at += size;
          }
          const options = { toolCallDialect, startsInsideThinking };
          expect(meaning(parse(pieces, options))).toEqual(meaning(parse([text], options)));
        },
      ),
      { numRuns: 1500 },
    );
  });

  test('hands arguments on while they arrive', () => {
    const parser = createOutputParser({
      toolCallDialect: 'hermes',
      tools,
      thinkingTags: undefined,
      startsInsideThinking: false,
      newCallId: () => 'c',
    });
    parser.push('<tool_call>{"name": "add", ');
    expect(parser.push('"arguments": {"a": ')).toEqual([
      { type: 'tool-call-delta', index: 0, argumentsText: '{"a": ' },
    ]);
    expect(parser.state).toBe('tool-call');
    expect(parser.push('12')).toEqual([{ type: 'tool-call-delta', index: 0, argumentsText: '12' }]);
  });

  test('keeps each log-probability with the text of its token, and those of tags out', () => {
    const parser = createOutputParser({
      toolCallDialect: 'hermes',
      tools,
      thinkingTags: { open: '<think>', close: '</think>' },
      startsInsideThinking: false,
      newCallId: () => 'c',
    });
    const logprob = (token: string) => [{ token, bytes: [...Buffer.from(token)], logprob: -1, top: [] }];
    const tokens = [
      '<think>',
      '\n',
      'Hm',
      '</th',
      'ink>',
      '\n\n',
      'So',
      ' ',
      '<b',
      '>',
      ' ',
      '<tool',
      '_call>',
      '{"name": "add"}',
    ];
    const events = [...tokens.flatMap((token) => parser.push(token, logprob(token))), ...parser.finish()];
    const shown = (type: string) =>
      events
        .flatMap((event) => (event.type === type && 'logprobs' in event ? (event.logprobs ?? []) : []))
        .map(({ token }) => token);
    expect(shown('reasoning-delta')).toEqual(['Hm']);
    expect(shown('text-delta')).toEqual(['So', ' ', '<b', '>']);
    expect(parser.toolCallCount).toBe(1);
  });

  test('reads long arguments in time that grows with their length', () => {
    const long = JSON.stringify({ text: 'lorem ipsum '.repeat(20_000) });
    const pieces = `<tool_call>{"name": "add", "arguments": ${long}}</tool_call>`.match(/[\s\S]{1,4}/g) ?? [];
    expect(meaning(parse(pieces))).toEqual([{ call: 'add', id: 'call_1', args: long }]);
  });
});
