import { describe, expect, test } from '@jest/globals';
import { askLlama } from '../../../test/engine/ask-llama.js';
import { createGbnfSampler, gbnfAccepts, parseGbnf } from '../../../test/engine/gbnf.js';
import { createValidator } from '../../../test/engine/validate-schema.js';
import type { Tool, ToolChoice } from '../../generation/tool.js';
import { createOutputParser } from '../output/output-parser.js';
import { type ToolCallDialect, toolCallDialects } from '../output/tool-call-dialect.js';
import { grammarFor, type OutputGrammarOptions } from './output-grammar.js';

const tags = { open: '<think>', close: '</think>' };
const weather: Tool = {
  name: 'get_weather',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', maxLength: 8 }, days: { type: 'integer', minimum: 1, maximum: 7 } },
    required: ['city'],
    additionalProperties: false,
  },
};
const ping: Tool = { name: 'ping', parameters: { type: 'object', properties: {} } };
const tools = [weather, ping];
const schema = {
  type: 'object',
  properties: { answer: { type: 'integer' } },
  required: ['answer'],
  additionalProperties: false,
};

const nothing: OutputGrammarOptions = {
  format: { kind: 'text' },
  tools: [],
  toolChoice: { kind: 'auto' },
  parallelToolCalls: true,
  toolCallDialect: undefined,
  thinkingTags: undefined,
  startsInsideThinking: false,
  mayThink: false,
};

function gbnfFor(options: Partial<OutputGrammarOptions>): string {
  const grammar = grammarFor({ ...nothing, ...options });
  if (!grammar) throw new Error('no grammar');
  return grammar.gbnf;
}

function accepts(options: Partial<OutputGrammarOptions>, ...texts: readonly string[]): boolean[] {
  const grammar = parseGbnf(gbnfFor(options));
  return texts.map((text) => gbnfAccepts(grammar, text));
}

function randomFrom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

/** What the parser makes of a text: the answer, and the calls with their arguments. */
function read(text: string, dialect: ToolCallDialect) {
  const parser = createOutputParser({
    toolCallDialect: dialect,
    tools,
    thinkingTags: tags,
    startsInsideThinking: false,
    newCallId: () => 'id',
  });
  const calls: { name: string; args: string }[] = [];
  let answer = '';
  for (const event of [...parser.push(text), ...parser.finish()]) {
    if (event.type === 'text-delta') answer += event.text;
    if (event.type === 'tool-call-start') calls.push({ name: event.name, args: '' });
    const last = calls.at(-1);
    if (event.type === 'tool-call-delta' && last) last.args += event.argumentsText;
  }
  return { answer, calls };
}

describe('a request that asks nothing of its output', () => {
  test.each<[string, Partial<OutputGrammarOptions>]>([
    ['free text', {}],
    ['tools that may be called', { tools }],
    ['no tools and none wanted', { toolChoice: { kind: 'none' } }],
  ])('has no grammar: %s', (_name, options) => {
    expect(grammarFor({ ...nothing, ...options })).toBeUndefined();
  });
});

describe('an output format', () => {
  test('json is any object and nothing else', () => {
    expect(accepts({ format: { kind: 'json' } }, '{}', '{"a": [1]}', '[]', '1', '{} ')).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('a schema holds the answer', () => {
    expect(accepts({ format: { kind: 'json-schema', schema } }, '{"answer": 1}', '{}')).toEqual([
      true,
      false,
    ]);
  });

  test('lets the model think first where it may', () => {
    const options: Partial<OutputGrammarOptions> = { format: { kind: 'json' }, thinkingTags: tags };
    const thought = '<think>\nIs { fine? </thin\n</think>\n\n{}';
    expect(accepts({ ...options, mayThink: true }, thought, '{}', '<think>{}')).toEqual([true, true, false]);
    expect(accepts({ ...options, mayThink: false }, thought, '{}')).toEqual([false, true]);
  });

  test('holds only after a thought that the prompt opened', () => {
    const grammar = grammarFor({
      ...nothing,
      format: { kind: 'json' },
      thinkingTags: tags,
      startsInsideThinking: true,
      mayThink: true,
    });
    expect(grammar?.startsAfter).toBe('thinking');
    const parsed = parseGbnf(grammar?.gbnf ?? '');
    expect(['\n\n{}', '{}', 'x'].map((text) => gbnfAccepts(parsed, text))).toEqual([true, true, false]);
  });
});

const validators = new Map(tools.map((tool) => [tool.name, createValidator(tool.parameters)]));
const choices: readonly ToolChoice[] = [{ kind: 'required' }, { kind: 'tool', name: 'get_weather' }];

describe.each(toolCallDialects.map((dialect) => [dialect] as const))('calls in the dialect %s', (dialect) => {
  test.each(choices.map((choice) => [choice.kind, choice] as const))(
    'a choice of "%s" gives calls only, which are read back as they were meant',
    (_kind, toolChoice) => {
      const sample = createGbnfSampler(
        parseGbnf(gbnfFor({ tools, toolChoice, toolCallDialect: dialect })),
        randomFrom(5),
      );
      for (let count = 0; count < 25; count += 1) {
        const text = sample();
        const { answer, calls } = read(text, dialect);
        expect({ text, answer, some: calls.length > 0 }).toEqual({ text, answer: '', some: true });
        for (const { name, args } of calls) {
          if (toolChoice.kind === 'tool') expect(name).toBe('get_weather');
          expect({ text, args, valid: validators.get(name)?.(args) }).toEqual({ text, args, valid: true });
        }
      }
    },
  );

  test('a schema and tools together give either an answer or calls', () => {
    const options = { tools, toolCallDialect: dialect, format: { kind: 'json-schema', schema } } as const;
    const sample = createGbnfSampler(parseGbnf(gbnfFor(options)), randomFrom(9));
    const validAnswer = createValidator(schema);
    const seen = new Set<string>();
    for (let count = 0; count < 40; count += 1) {
      const text = sample();
      const { answer, calls } = read(text, dialect);
      if (calls.length > 0) expect({ text, answer }).toEqual({ text, answer: '' });
      else expect({ text, valid: validAnswer(answer) }).toEqual({ text, valid: true });
      seen.add(calls.length > 0 ? 'calls' : 'answer');
    }
    expect([...seen].sort()).toEqual(['answer', 'calls']);
  });

  test('strict tools leave the text free and hold every call to its schema', () => {
    const strict = [{ ...weather, strict: true }];
    const sample = createGbnfSampler(
      parseGbnf(gbnfFor({ tools: strict, toolCallDialect: dialect })),
      randomFrom(3),
    );
    for (let count = 0; count < 25; count += 1) {
      for (const { name, args } of read(sample(), dialect).calls) {
        expect({ args, valid: validators.get(name)?.(args) }).toEqual({ args, valid: true });
      }
    }
  });
});

test('llama.cpp takes the grammars of every dialect', async () => {
  const questions = toolCallDialects
    .flatMap((toolCallDialect): Partial<OutputGrammarOptions>[] => [
      ...choices.map((toolChoice) => ({ tools, toolChoice, toolCallDialect })),
      { tools, toolChoice: { kind: 'none' }, toolCallDialect: 'hermes' },
      { tools: [{ ...weather, strict: true }], toolCallDialect },
      { tools, toolCallDialect, format: { kind: 'json-schema', schema }, thinkingTags: tags, mayThink: true },
    ])
    .map((options) => ({ gbnf: gbnfFor(options), texts: [] }));
  expect(await askLlama(questions)).toEqual(questions.map(() => ({ accepted: [] })));
}, 60_000);

describe('the choice of tools', () => {
  const call = (name: string, args: string) =>
    `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`;

  test('without a dialect of its own a model is held to Hermes', () => {
    expect(
      accepts({ tools, toolChoice: { kind: 'required' } }, call('ping', '{}'), 'Sure!', call('pong', '{}')),
    ).toEqual([true, false, false]);
  });

  test('several calls only where they are allowed', () => {
    const two = `${call('ping', '{}')}\n${call('ping', '{}')}`;
    const required: Partial<OutputGrammarOptions> = { tools, toolChoice: { kind: 'required' } };
    expect(accepts(required, two)).toEqual([true]);
    expect(accepts({ ...required, parallelToolCalls: false }, two, call('ping', '{}'))).toEqual([
      false,
      true,
    ]);
    expect(
      accepts({ tools, parallelToolCalls: false }, 'One moment.', `Ok ${call('ping', '{}')}`, two),
    ).toEqual([true, true, false]);
  });

  test('none of them means that no call can be opened', () => {
    expect(accepts({ tools, toolChoice: { kind: 'none' } }, 'a < b, <tool_cal', 'x <tool_call>')).toEqual([
      true,
      false,
    ]);
  });

  test('a tool that is not strict may have a schema that no grammar keeps; its arguments are any object', () => {
    const odd: Tool = { name: 'odd', parameters: { type: 'object', not: { required: ['x'] } } };
    const options: Partial<OutputGrammarOptions> = { tools: [odd], toolChoice: { kind: 'required' } };
    expect(accepts(options, call('odd', '{"x": 1}'), call('odd', '[]'))).toEqual([true, false]);
    expect(() => gbnfFor({ ...options, tools: [{ ...odd, strict: true }] })).toThrow('"not"');
  });

  test('a tool that is not strict is callable also where its parameters are written as text', () => {
    const odd: Tool = {
      name: 'odd',
      parameters: {
        type: 'object',
        properties: { s: { type: 'string', pattern: '(?=x)', maxLength: 90_000 }, n: { not: {} } },
      },
    };
    const options: Partial<OutputGrammarOptions> = {
      tools: [odd],
      toolChoice: { kind: 'required' },
      toolCallDialect: 'qwen-xml',
    };
    const text =
      '<tool_call>\n<function=odd>\n<parameter=s>\nany <b>\n</parameter>\n</function>\n</tool_call>';
    expect(accepts(options, text)).toEqual([true]);
    expect(() => gbnfFor({ ...options, tools: [{ ...odd, strict: true }] })).toThrow('"maxLength"');
  });

  test('must name a tool that is there', () => {
    expect(() => gbnfFor({ tools, toolChoice: { kind: 'tool', name: 'nope' } })).toThrow(
      '"nope", which is not among the tools',
    );
    expect(() => gbnfFor({ toolChoice: { kind: 'required' } })).toThrow('there are no tools');
  });
});
