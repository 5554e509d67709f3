import { choice, type Expression, empty, repeat, sequence } from './expression.js';

/**
 * The expression without the options that can never be completed; `undefined` when none is left. A model that walked
 * into such an option would have to write for ever.
 */
export function pruneExpression(
  expression: Expression,
  canEnd: (ruleName: string) => boolean,
): Expression | undefined {
  switch (expression.kind) {
    case 'text':
      return expression;
    case 'characters':
      return expression.set.length > 0 ? expression : undefined;
    case 'rule':
      return canEnd(expression.name) ? expression : undefined;
    case 'sequence': {
      const parts: Expression[] = [];
      for (const part of expression.parts) {
        const pruned = pruneExpression(part, canEnd);
        if (!pruned) return undefined;
        parts.push(pruned);
      }
      return sequence(...parts);
    }
    case 'choice': {
      const options = expression.options.flatMap((option) => pruneExpression(option, canEnd) ?? []);
      return options.length > 0 ? choice(...options) : undefined;
    }
    case 'repeat': {
      const part = pruneExpression(expression.part, canEnd);
      if (part) return repeat(part, expression.min, expression.max);
      return expression.min === 0 ? empty : undefined;
    }
    default:
      return expression satisfies never;
  }
}
