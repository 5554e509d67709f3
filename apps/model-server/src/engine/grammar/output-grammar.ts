import { GenerationError } from '../../generation/generation-error.js';
import type { OutputFormat } from '../../generation/generation-request.js';
import type { Tool, ToolChoice } from '../../generation/tool.js';
import type { ThinkingTags } from '../output/thinking-tags.js';
import type { ToolCallDialect } from '../output/tool-call-dialect.js';
import { freeText } from './free-text.js';
import {
  characters,
  choice,
  type Expression,
  empty,
  optional,
  repeat,
  sequence,
  text,
} from './gbnf/expression.js';
import { createGrammarRules, type GrammarRules } from './gbnf/grammar-rules.js';
import { anyCodePoint, charactersOf, complement } from './language/code-point-set.js';
import { compileSchema } from './schema/compile-schema.js';
import { createJsonRules, type JsonRules } from './schema/json-rules.js';
import { callOpening, type ToolCallGrammar, toolCallGrammar } from './tool-call-grammar.js';

export interface OutputGrammarOptions {
  readonly format: OutputFormat;
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  readonly parallelToolCalls: boolean;
  /** How the model writes its calls; without one of its own it is told, and held, to Hermes. */
  readonly toolCallDialect: ToolCallDialect | undefined;
  readonly thinkingTags: ThinkingTags | undefined;
  readonly startsInsideThinking: boolean;
  /** Whether the model may open a thought of its own accord. */
  readonly mayThink: boolean;
}

export interface OutputGrammar {
  readonly gbnf: string;
  /** `thinking`: the grammar holds from the first token after the thought in which the prompt ends. */
  readonly startsAfter: 'immediately' | 'thinking';
}

interface Parts {
  readonly rules: GrammarRules;
  readonly json: JsonRules;
}

const anyText = repeat(characters(anyCodePoint), 0);

/** The tools that may be called: all of them, the named one, or none. */
function callableTools({ tools, toolChoice }: OutputGrammarOptions): readonly Tool[] {
  if (toolChoice.kind === 'none') return [];
  if (toolChoice.kind !== 'tool') return tools;
  const named = tools.filter(({ name }) => name === toolChoice.name);
  if (named.length > 0) return named;
  throw new GenerationError(
    'invalid-request',
    `the tool choice names "${toolChoice.name}", which is not among the tools`,
    {
      param: 'tool_choice',
    },
  );
}

/** The answer the format asks for; `undefined` for free text. */
function answer(format: OutputFormat, { rules, json }: Parts): Expression | undefined {
  switch (format.kind) {
    case 'text':
      return undefined;
    case 'json':
      return json.object;
    case 'json-schema':
      return compileSchema(format.schema, rules, json);
    default:
      return format satisfies never;
  }
}

/** Free text that turns into calls at their opening, and ends with them. */
function textOrCalls({ rules }: Parts, calls: ToolCallGrammar): Expression {
  if (calls.opening !== '') {
    return freeText(rules, calls.opening, { afterMark: calls.afterOpening, mayEnd: true });
  }
  // A call without an opening is told from text by its first character.
  const space = repeat(characters(charactersOf(' \n')), 0, 4);
  const otherStart = characters(complement(charactersOf('{ \n')));
  return choice(calls.calls, sequence(space, otherStart, anyText), empty);
}

/** Where tools were offered and none may be called, the text that opens a call cannot be written. */
function textWithoutCalls(
  options: OutputGrammarOptions,
  dialect: ToolCallDialect,
  { rules }: Parts,
): Expression | undefined {
  const opening = callOpening(dialect);
  if (options.toolChoice.kind !== 'none' || options.tools.length === 0 || opening === '') return undefined;
  return freeText(rules, opening, { mayEnd: true });
}

function body(options: OutputGrammarOptions, parts: Parts): Expression | undefined {
  const dialect = options.toolCallDialect ?? 'hermes';
  const isHarmony = dialect === 'harmony';
  const tools = callableTools(options);
  const given = answer(options.format, parts);
  const final = given && isHarmony ? sequence(text('<|channel|>final<|message|>'), given) : given;
  if (tools.length === 0) {
    if (options.toolChoice.kind === 'required') {
      throw new GenerationError('invalid-request', 'a tool call is required, and there are no tools', {
        param: 'tool_choice',
      });
    }
    return final ?? textWithoutCalls(options, dialect, parts);
  }
  const kind = options.toolChoice.kind;
  const severalCalls = options.parallelToolCalls && kind !== 'tool';
  const isForced = kind === 'required' || kind === 'tool';
  const isFree = !final && !isForced && options.parallelToolCalls && !tools.some(({ strict }) => strict);
  if (isFree) return undefined;
  const calls = toolCallGrammar({ tools, dialect, severalCalls }, parts.rules, parts.json);
  if (isForced) return calls.calls;
  if (final) return choice(calls.calls, final);
  return isHarmony
    ? choice(calls.calls, sequence(text('<|channel|>final<|message|>'), anyText))
    : textOrCalls(parts, calls);
}

/** A thought the model may open itself, in front of what is asked for. */
function ownThought(options: OutputGrammarOptions, { rules }: Parts): Expression {
  if (options.toolCallDialect === 'harmony') {
    const thought = freeText(rules, '<|end|>', { afterMark: text('<|start|>assistant'), mayEnd: false });
    return optional(sequence(text('<|channel|>analysis<|message|>'), thought));
  }
  const tags = options.thinkingTags;
  if (!tags || !options.mayThink) return empty;
  const lineBreaks = repeat(text('\n'), 0, 2);
  return optional(
    sequence(text(tags.open), freeText(rules, tags.close, { afterMark: lineBreaks, mayEnd: false })),
  );
}

// Clients send the same tools and schemas with every request, and the engine waits while a grammar is made.
const made = new Map<string, OutputGrammar | undefined>();
const maxMade = 64;

/**
 * The grammar that holds a model to what the request asks of its output, in the wire text of its family; `undefined`
 * when nothing is asked that needs one.
 */
export function grammarFor(options: OutputGrammarOptions): OutputGrammar | undefined {
  const { format, tools, toolChoice, parallelToolCalls, toolCallDialect, thinkingTags } = options;
  const key = JSON.stringify([
    ...[format, tools, toolChoice, parallelToolCalls, toolCallDialect, thinkingTags],
    ...[options.startsInsideThinking, options.mayThink],
  ]);
  if (made.has(key)) return made.get(key);
  const grammar = makeGrammar(options);
  const [oldest] = made.keys();
  if (made.size >= maxMade && oldest !== undefined) made.delete(oldest);
  made.set(key, grammar);
  return grammar;
}

function makeGrammar(options: OutputGrammarOptions): OutputGrammar | undefined {
  const rules = createGrammarRules();
  const parts: Parts = { rules, json: createJsonRules(rules) };
  const asked = body(options, parts);
  if (!asked) return undefined;
  const startsAfter = options.startsInsideThinking ? 'thinking' : 'immediately';
  const before = options.startsInsideThinking ? repeat(text('\n'), 0, 2) : ownThought(options, parts);
  const gbnf = rules.print(sequence(before, asked));
  if (gbnf === undefined)
    throw new GenerationError('invalid-request', 'no output can match the requested format');
  return { gbnf, startsAfter };
}
