import { GenerationError } from '../../generation/generation-error.js';
import type { JsonSchema } from '../../generation/tool.js';
import { createGrammarRules } from './gbnf/grammar-rules.js';
import { compileSchema } from './schema/compile-schema.js';
import { createJsonRules } from './schema/json-rules.js';

/**
 * A grammar (GBNF) whose every text is a JSON value that matches the schema. Throws `unsupported` naming a keyword that
 * cannot be kept, `invalid-request` for a schema that is wrong or that nothing matches.
 */
export function jsonSchemaToGbnf(schema: JsonSchema): string {
  const rules = createGrammarRules();
  const grammar = rules.print(compileSchema(schema, rules, createJsonRules(rules)));
  if (grammar === undefined)
    throw new GenerationError('invalid-request', 'no value can match the JSON schema');
  return grammar;
}
