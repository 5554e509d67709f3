import type { GenerateRequest } from '@hearth/protocol-types/runner/generate-request';
import { GenerationError } from '../../generation/generation-error.js';
import type { Prompt } from '../../generation/generation-request.js';
import type { Message } from '../../generation/message.js';
import type { ModelDefaults } from '../../http/model-defaults.js';
import { noVision } from '../../http/no-vision.js';
import { withModelTurns } from '../../http/with-model-turns.js';
import type { ModelEntry } from '../../models/model-entry.js';
import { renderSimpleTemplate } from './simple-template.js';

/** From the many ways to say it to one prompt. */
export function generatePrompt(body: GenerateRequest, model: ModelEntry, defaults: ModelDefaults): Prompt {
  if (body.images && body.images.length > 0) throw noVision('images');
  const prompt = body.prompt ?? '';
  if (body.suffix) {
    if (!model.capabilities.includes('insert')) {
      throw new GenerationError('unsupported', `${model.name} does not support insert`, { param: 'suffix' });
    }
    return { kind: 'infill', prefix: prompt, suffix: body.suffix };
  }
  const context = body.context ?? [];
  if (body.raw === true) {
    if (body.template || body.system || context.length > 0) {
      const message = 'raw mode does not support template, system, or context';
      throw new GenerationError('invalid-request', message, { param: 'raw' });
    }
    return { kind: 'raw', text: prompt };
  }
  if (body.template && body.template !== model.template) return templatePrompt(body, prompt, defaults);
  const system: Message[] = body.system ? [{ role: 'system', content: body.system }] : [];
  const question: Message = { role: 'user', content: prompt };
  // Earlier turns are in the context already.
  const turns = context.length > 0 ? { ...defaults, messages: [] } : defaults;
  return {
    kind: 'chat',
    messages: withModelTurns([...system, question], turns),
    ...(context.length > 0 ? { contextTokens: context } : {}),
  };
}

function templatePrompt(body: GenerateRequest, prompt: string, defaults: ModelDefaults): Prompt {
  const parts = renderSimpleTemplate(body.template ?? '', {
    system: body.system ?? defaults.system ?? '',
    prompt,
  });
  if (parts === undefined) {
    throw new GenerationError(
      'unsupported',
      'template: a request may bring .System, .Prompt, .Response, if, else and end; put anything more into a model of your own',
      { param: 'template' },
    );
  }
  if (body.context && body.context.length > 0) {
    const message = 'template: a template of your own and context do not go together';
    throw new GenerationError('unsupported', message, { param: 'template' });
  }
  return { kind: 'raw', parts };
}
