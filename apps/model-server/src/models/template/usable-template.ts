import { Template } from '@huggingface/jinja';
import { GenerationError } from '../../generation/generation-error.js';
import { goTemplateToJinja } from './go-template-to-jinja.js';
import { isJinja } from './is-jinja.js';

/** Refuses a template that the engine could not use, when the model is made and not when it is first asked. */
export function requireUsableTemplate(template: string): void {
  const jinja = isJinja(template) ? template : goTemplateToJinja(template);
  if (jinja === undefined) {
    throw new GenerationError(
      'unsupported',
      'this template uses parts of the Go template language that are not supported; write it in Jinja',
      { param: 'template' },
    );
  }
  try {
    new Template(jinja);
  } catch (error) {
    throw new GenerationError('invalid-request', 'the template cannot be read as Jinja', {
      param: 'template',
      cause: error,
    });
  }
}

/**
 * The Jinja that replaces the template inside the GGUF, if any. A Go template of a registry was made from that very
 * template for another program, so the original goes first where there is one.
 */
export function engineTemplate(options: {
  readonly template: string | undefined;
  /** Given by whoever made the model here. */
  readonly isOwn: boolean;
  readonly hasGgufTemplate: boolean;
}): string | undefined {
  const { template, isOwn, hasGgufTemplate } = options;
  if (template === undefined) return undefined;
  if (isJinja(template)) return template;
  return isOwn || !hasGgufTemplate ? goTemplateToJinja(template) : undefined;
}
