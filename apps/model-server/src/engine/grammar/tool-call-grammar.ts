import { GenerationError } from '../../generation/generation-error.js';
import type { Tool } from '../../generation/tool.js';
import type { ToolCallDialect } from '../output/tool-call-dialect.js';
import { choice, type Expression, sequence, text } from './gbnf/expression.js';
import type { GrammarRules } from './gbnf/grammar-rules.js';
import { compileSchema } from './schema/compile-schema.js';
import type { JsonRules } from './schema/json-rules.js';
import { glmXmlCall, qwenXmlCall } from './xml-call-grammar.js';

/** More calls in one turn than any task needs; a bound, because small models repeat themselves. */
const maxCalls = 16;

export interface ToolCallGrammar {
  /** The calls as this family of models writes them. */
  readonly calls: Expression;
  /** The same without the text that opens the first of them. */
  readonly afterOpening: Expression;
  /** The text that opens the first call; empty where a call has none. */
  readonly opening: string;
}

export interface ToolCallGrammarOptions {
  readonly tools: readonly Tool[];
  readonly dialect: ToolCallDialect;
  readonly severalCalls: boolean;
}

const openings: Readonly<Record<ToolCallDialect, string>> = {
  hermes: '<tool_call>',
  'qwen-xml': '<tool_call>',
  'llama3-json': '',
  'mistral-array': '[TOOL_CALLS]',
  'mistral-args': '[TOOL_CALLS]',
  'tagged-array': '<|tool_call|>',
  'glm-xml': '<tool_call>',
  deepseek: '<｜tool▁calls▁begin｜>',
  'command-r': '<|START_ACTION|>',
  harmony: '<|channel|>commentary to=functions.',
};

/** The text that opens the first call of a turn; empty where a call has none. */
export function callOpening(dialect: ToolCallDialect): string {
  return openings[dialect];
}

function argumentsOf(tool: Tool, rules: GrammarRules, json: JsonRules): Expression {
  try {
    return compileSchema(tool.parameters, rules, json, { onlyObjects: true });
  } catch (error) {
    // A tool that did not ask to be strict is better called with any object than not at all.
    const isOurs = error instanceof GenerationError && error.code === 'unsupported';
    if (isOurs && !tool.strict) return json.object;
    throw error;
  }
}

/** The grammar of one or more calls of the given tools, in the wire text of the model's own dialect. */
export function toolCallGrammar(
  options: ToolCallGrammarOptions,
  rules: GrammarRules,
  json: JsonRules,
): ToolCallGrammar {
  const { tools, dialect } = options;
  const most = options.severalCalls ? maxCalls : 1;
  const oneOf = (write: (tool: Tool) => Expression): Expression =>
    rules.define('call', choice(...tools.map(write)));
  const jsonCall = (argumentsKey: string, nameKey = 'name') =>
    oneOf((tool) =>
      sequence(
        text(`{"${nameKey}": ${JSON.stringify(tool.name)}, "${argumentsKey}": `),
        argumentsOf(tool, rules, json),
        text('}'),
      ),
    );
  const more = (part: Expression): Expression => rules.repeated('more-calls', part, 0, most - 1);
  const opening = callOpening(dialect);
  const opened = (afterOpening: Expression): ToolCallGrammar => ({
    opening,
    afterOpening,
    calls: sequence(text(opening), afterOpening),
  });

  switch (dialect) {
    case 'hermes': {
      const rest = rules.define(
        'call-text',
        sequence(text('\n'), jsonCall('arguments'), text('\n</tool_call>')),
      );
      return opened(sequence(rest, more(sequence(text('\n<tool_call>'), rest))));
    }
    case 'qwen-xml': {
      const call = oneOf((tool) => qwenXmlCall(tool, rules, json));
      const rest = rules.define('call-text', sequence(text('\n'), call, text('\n</tool_call>')));
      return opened(sequence(rest, more(sequence(text('\n<tool_call>'), rest))));
    }
    case 'llama3-json':
      // These models make one call a turn, and their templates refuse more.
      return opened(jsonCall('parameters'));
    case 'mistral-array': {
      const call = jsonCall('arguments');
      return opened(sequence(text('['), call, more(sequence(text(', '), call)), text(']')));
    }
    case 'tagged-array': {
      const call = jsonCall('arguments');
      return opened(sequence(text('['), call, more(sequence(text(', '), call)), text(']')));
    }
    case 'mistral-args': {
      const call = oneOf((tool) => sequence(text(`${tool.name}[ARGS]`), argumentsOf(tool, rules, json)));
      return opened(sequence(call, more(sequence(text('[TOOL_CALLS]'), call))));
    }
    case 'command-r': {
      const call = jsonCall('parameters', 'tool_name');
      return opened(sequence(text('['), call, more(sequence(text(', '), call)), text(']<|END_ACTION|>')));
    }
    case 'glm-xml': {
      const call = rules.define(
        'call-text',
        sequence(
          oneOf((tool) => glmXmlCall(tool, rules, json)),
          text('</tool_call>'),
        ),
      );
      return opened(sequence(call, more(sequence(text('\n<tool_call>'), call))));
    }
    case 'deepseek': {
      const call = oneOf((tool) =>
        sequence(text(`${tool.name}<｜tool▁sep｜>`), argumentsOf(tool, rules, json)),
      );
      const whole = rules.define(
        'call-text',
        sequence(text('<｜tool▁call▁begin｜>'), call, text('<｜tool▁call▁end｜>')),
      );
      return opened(sequence(whole, more(whole), text('<｜tool▁calls▁end｜>')));
    }
    case 'harmony': {
      // The end of the call is the end of the turn, so there is one.
      const call = oneOf((tool) =>
        sequence(text(`${tool.name} <|constrain|>json<|message|>`), argumentsOf(tool, rules, json)),
      );
      return opened(call);
    }
    default:
      return dialect satisfies never;
  }
}
