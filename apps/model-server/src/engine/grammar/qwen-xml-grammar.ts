import type { JsonSchema, Tool } from '../../generation/tool.js';
import { freeText } from './free-text.js';
import { choice, type Expression, optional, sequence, text } from './gbnf/expression.js';
import type { GrammarRules } from './gbnf/grammar-rules.js';
import { compileSchema } from './schema/compile-schema.js';
import type { JsonRules } from './schema/json-rules.js';
import { isObject } from './schema/read-keywords.js';

const valueEnd = '\n</parameter>';

/** A value of a parameter with the text that ends it: strings stand bare, all else is JSON. */
function parameterValue(schema: unknown, root: JsonSchema, rules: GrammarRules, json: JsonRules): Expression {
  const end = text(`${valueEnd}\n`);
  if (!isObject(schema)) return sequence(json.value, end);
  if (schema['type'] === 'string') {
    const values = schema['enum'];
    if (Array.isArray(values)) return sequence(choice(...values.map((value) => text(String(value)))), end);
    return freeText(rules, valueEnd, { afterMark: text('\n'), mayEnd: false });
  }
  // References lead into the definitions of the whole schema.
  const { $defs, definitions } = isObject(root) ? root : {};
  const withDefinitions = { ...schema, ...($defs ? { $defs } : {}), ...(definitions ? { definitions } : {}) };
  return sequence(compileSchema(withDefinitions, rules, json), end);
}

/** `<function=name>`, a parameter a line, `</function>`: the declared parameters in their order, optional ones left out. */
export function qwenXmlCall(tool: Tool, rules: GrammarRules, json: JsonRules): Expression {
  const schema = tool.parameters;
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const required = isObject(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
  const parameters = Object.entries(properties).map(([name, property]) => {
    const value = parameterValue(property, schema, rules, json);
    const parameter = sequence(text(`<parameter=${name}>\n`), value);
    return required.includes(name) ? parameter : optional(parameter);
  });
  return sequence(text(`<function=${tool.name}>\n`), ...parameters, text('</function>'));
}
