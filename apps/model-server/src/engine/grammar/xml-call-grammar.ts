import { GenerationError } from '../../generation/generation-error.js';
import type { Tool } from '../../generation/tool.js';
import { freeText } from './free-text.js';
import { choice, type Expression, optional, sequence, text } from './gbnf/expression.js';
import type { GrammarRules } from './gbnf/grammar-rules.js';
import { automatonOfLength, complementAutomaton, intersectAutomata } from './language/automaton.js';
import { automatonRules, spellPlain } from './language/automaton-rules.js';
import { automatonOfRegex } from './language/regex-automaton.js';
import { RegexError } from './language/regex-node.js';
import { compileSchema } from './schema/compile-schema.js';
import { flattenSchema } from './schema/flatten-schema.js';
import type { JsonRules } from './schema/json-rules.js';
import { isObject, type SchemaObject } from './schema/read-keywords.js';
import { cannotEnforce } from './schema/schema-problem.js';
import { createReferenceResolver } from './schema/schema-references.js';
import { stringAutomaton } from './schema/string-expression.js';

interface ParameterTags {
  readonly before: (name: string) => string;
  /** What ends a value; a bare string is free up to it. */
  readonly valueEnd: string;
  readonly after: string;
}

const qwenTags: ParameterTags = {
  before: (name) => `<parameter=${name}>\n`,
  valueEnd: '\n</parameter>',
  after: '\n',
};
const glmTags: ParameterTags = {
  before: (name) => `<arg_key>${name}</arg_key>\n<arg_value>`,
  valueEnd: '</arg_value>',
  after: '\n',
};

interface XmlContext {
  readonly tool: Tool;
  readonly tags: ParameterTags;
  readonly rules: GrammarRules;
  readonly json: JsonRules;
}

/** A bare string of bounded length, or of a pattern or format; `undefined` where anything goes. */
function boundedString(schema: SchemaObject, { tool, tags, rules }: XmlContext): Expression | undefined {
  const resolve = createReferenceResolver(tool.parameters);
  const flat = flattenSchema(schema, '', { resolve, checkOneOf: () => undefined });
  if (flat === false) return choice();
  const { minLength, maxLength } = flat;
  const isCounted = minLength > 0 || maxLength !== undefined;
  try {
    const counted = isCounted ? automatonOfLength(minLength, maxLength) : undefined;
    const language = stringAutomaton(flat, '') ?? counted;
    if (!language) return undefined;
    const ending = tags.valueEnd.replace(/[/\\^$*+?.()|[\]{}]/g, '\\$&');
    const open = intersectAutomata(language, complementAutomaton(automatonOfRegex(ending)));
    return automatonRules(rules, 'text', open, spellPlain);
  } catch (error) {
    if (error instanceof RegexError) throw cannotEnforce('maxLength', '', error.message);
    throw error;
  }
}

/** A value with the text that ends it: strings stand bare, all else is JSON. */
function parameterValue(schema: unknown, context: XmlContext): Expression {
  const { tags, rules, json } = context;
  const end = text(tags.valueEnd + tags.after);
  const anyText = freeText(rules, tags.valueEnd, { afterMark: text(tags.after), mayEnd: false });
  if (!isObject(schema)) return sequence(json.value, end);
  const isString = schema['type'] === 'string';
  try {
    if (isString) {
      const values = schema['enum'];
      if (Array.isArray(values)) return sequence(choice(...values.map((value) => text(String(value)))), end);
      const bounded = boundedString(schema, context);
      return bounded ? sequence(bounded, end) : anyText;
    }
    // References lead into the definitions of the whole schema.
    const { $defs, definitions } = isObject(context.tool.parameters) ? context.tool.parameters : {};
    const whole = { ...schema, ...($defs ? { $defs } : {}), ...(definitions ? { definitions } : {}) };
    return sequence(compileSchema(whole, rules, json), end);
  } catch (error) {
    const isOurs = error instanceof GenerationError && error.code === 'unsupported';
    if (!isOurs || context.tool.strict) throw error;
    return isString ? anyText : sequence(json.value, end);
  }
}

// What a list of parameters cannot show: which of them go together.
const beyondParameters = [
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  'minProperties',
  'maxProperties',
  'patternProperties',
];

/** The declared parameters in their order; those that are not required may be left out. */
function parameters(context: XmlContext): Expression[] {
  const { tool, tags } = context;
  const schema: SchemaObject = isObject(tool.parameters) ? tool.parameters : {};
  const refused = beyondParameters.find((keyword) => schema[keyword] !== undefined);
  if (refused && tool.strict) {
    throw cannotEnforce(refused, '', 'this model writes its arguments as a list of named parameters');
  }
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, property]) => {
    const parameter = sequence(text(tags.before(name)), parameterValue(property, context));
    return required.includes(name) ? parameter : optional(parameter);
  });
}

/** `<function=name>`, a parameter a line, `</function>`. */
export function qwenXmlCall(tool: Tool, rules: GrammarRules, json: JsonRules): Expression {
  const list = parameters({ tool, tags: qwenTags, rules, json });
  return sequence(text(`<function=${tool.name}>\n`), ...list, text('</function>'));
}

/** A name, then a key and a value a line. */
export function glmXmlCall(tool: Tool, rules: GrammarRules, json: JsonRules): Expression {
  return sequence(text(`${tool.name}\n`), ...parameters({ tool, tags: glmTags, rules, json }));
}
