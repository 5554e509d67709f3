import type { PromptPart } from '../../generation/generation-request.js';

/** The fields of a prompt template of this family that a single prompt can fill. */
export interface TemplateValues {
  readonly system: string;
  readonly prompt: string;
}

const action = /\{\{(-)?\s*(.*?)\s*(-)?\}\}/gs;
const condition = /^if\s+\.(System|Prompt|Response)$/;
const field = /^\.(System|Prompt|Response)$/;

/**
 * Renders the plain part of the runner's template language: the fields of one prompt, and `if`, `else`, `end` over
 * them. Anything more (loops, functions, variables) gives `undefined`, so that the caller can say that it is refused.
 * What follows `.Response` is left out: the model goes on from there. The fields are plain, the rest is markup.
 */
export function renderSimpleTemplate(
  template: string,
  values: TemplateValues,
): readonly PromptPart[] | undefined {
  const fields: Record<string, string> = { System: values.system, Prompt: values.prompt, Response: '' };
  // Each open `if`: whether its part is printed now, and whether its condition held.
  const open: { printing: boolean; held: boolean }[] = [];
  const output: PromptPart[] = [];
  let last = 0;
  let trimNext = false;
  const printText = (end: number, trimEnd: boolean) => {
    let text = template.slice(last, end);
    if (trimNext) text = text.trimStart();
    if (trimEnd) text = text.trimEnd();
    if (open.every(({ printing }) => printing)) output.push({ kind: 'markup', text });
  };
  for (const match of template.matchAll(action)) {
    const [whole, trimBefore, code = '', trimAfter] = match;
    printText(match.index, trimBefore !== undefined);
    last = match.index + whole.length;
    trimNext = trimAfter !== undefined;
    const asked = condition.exec(code)?.[1];
    const printed = field.exec(code)?.[1];
    const innermost = open.at(-1);
    if (asked !== undefined) {
      const held = fields[asked] !== '';
      open.push({ printing: held, held });
    } else if (code === 'else' && innermost) {
      innermost.printing = !innermost.held;
    } else if (code === 'end' && innermost) {
      open.pop();
    } else if (printed === 'Response') {
      if (open.every(({ printing }) => printing)) return output;
    } else if (printed !== undefined) {
      const text = fields[printed] ?? '';
      if (open.every(({ printing }) => printing)) output.push({ kind: 'plain', text });
    } else if (!code.startsWith('/*')) {
      return undefined;
    }
  }
  if (open.length > 0) return undefined;
  printText(template.length, false);
  return output;
}
