import type { JsonSchema } from '../../../generation/tool.js';
import type { Expression } from '../gbnf/expression.js';
import type { GrammarRules } from '../gbnf/grammar-rules.js';
import type { FlatSchema } from './flat-schema.js';
import type { JsonRules } from './json-rules.js';
import type { SchemaPath } from './schema-problem.js';

/** What the rules of one type need of the whole. */
export interface SchemaCompiler {
  readonly rules: GrammarRules;
  readonly json: JsonRules;
  flatten(schema: JsonSchema, path: SchemaPath): FlatSchema | false;
  /** The rule for a schema; one that nothing matches is a rule that cannot be completed. */
  compile(schema: JsonSchema, path: SchemaPath): Expression;
}
