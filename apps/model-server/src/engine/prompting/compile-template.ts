import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';
import { GenerationError } from '../../generation/generation-error.js';
import { strftime } from './strftime.js';

/** The template itself refused the conversation (`raise_exception`); its words are meant for the caller. */
export class TemplateRefusal extends Error {
  override readonly name = 'TemplateRefusal';
}

export type RenderTemplate = (variables: Readonly<Record<string, unknown>>) => string;

const maxRangeLength = 100_000;

function range(start: number, stop?: number | null, step?: number | null): number[] {
  const [from, to] = stop == null ? [0, start] : [start, stop];
  const by = step ?? 1;
  const length = by === 0 ? 0 : Math.ceil((to - from) / by);
  if (length > maxRangeLength) throw new Error(`range() of ${length} items is too long`);
  return Array.from({ length: Math.max(0, length) }, (_, index) => from + index * by);
}

/**
 * Parses a Jinja chat template once; the function it returns renders it. The globals are our own, so that a refusal by
 * the template can be told from a fault in it, and so that dates can be tested.
 */
export function compileTemplate(source: string, now: () => Date): RenderTemplate {
  const program = parseTemplate(source);
  return (variables) => {
    const environment = new Environment();
    const globals: Record<string, unknown> = {
      true: true,
      True: true,
      false: false,
      False: false,
      none: null,
      None: null,
      range,
      strftime_now: (format: string) => strftime(now(), format),
      raise_exception: (text: unknown) => {
        throw new TemplateRefusal(typeof text === 'string' ? text : 'the template refused the messages');
      },
    };
    for (const [name, value] of Object.entries({ ...variables, ...globals })) environment.set(name, value);
    const result: unknown = new Interpreter(environment).run(program).value;
    return typeof result === 'string' ? result : String(result);
  };
}

function parseTemplate(source: string) {
  try {
    return parse(tokenize(source, { lstrip_blocks: true, trim_blocks: true }));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it cannot be parsed';
    throw new GenerationError('unsupported', `the chat template of this model cannot be used: ${why}`, {
      cause,
    });
  }
}
