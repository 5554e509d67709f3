import { type Expression, sequence, text } from '../gbnf/expression.js';
import type { JsonRules } from './json-rules.js';

/** One value of `enum` or `const` as JSON text; inside lists and objects the white space is free, as everywhere. */
export function literalExpression(value: unknown, json: JsonRules): Expression {
  if (typeof value !== 'object' || value === null) return text(JSON.stringify(value));
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item: unknown) => literalExpression(item, json))
    : Object.entries(value).map(([key, item]) =>
        sequence(text(JSON.stringify(key)), json.colon, literalExpression(item, json)),
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return text(open + close);
  const separated = parts.flatMap((part, index) => (index === 0 ? [part] : [json.comma, part]));
  return sequence(text(open), json.space, ...separated, json.space, text(close));
}
