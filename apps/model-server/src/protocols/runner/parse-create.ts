import { findProblems } from '@hearth/protocol-types/common/find-problems';
import { type CreateRequest, createRequestSchema } from '@hearth/protocol-types/runner/create-request';
import { optionsSchema } from '@hearth/protocol-types/runner/options';
import type { Request } from 'express';
import { GenerationError } from '../../generation/generation-error.js';
import { parseBody } from '../../http/parse-body.js';
import type { CreateSpec } from '../../models/create/create-spec.js';
import { parseDigest } from '../../models/store/digest.js';
import { requestedModel } from './requested-model.js';

/** Fields that are known here and cannot be honoured, with the reason. */
const refused: Readonly<Record<string, string>> = {
  adapters: 'adapters (LoRA) are not supported',
  draft_files: 'draft models are not supported',
  quantize: 'quantizing is not supported: create from a file that is quantized already',
  draft_quantize: 'draft models are not supported',
  renderer: 'renderers are not supported: the chat template of the model decides',
  parser: 'parsers are not supported: the output format is detected from the chat template',
  info: 'what a model is, is read from its file and cannot be overridden',
};

export function parseCreate(request: Request): CreateSpec {
  const body = parseBody(request, createRequestSchema);
  for (const [field, reason] of Object.entries(refused)) {
    if (isGiven(body[field as keyof CreateRequest])) {
      throw new GenerationError('unsupported', reason, { param: field });
    }
  }
  const parameters = body.parameters ? checkedParameters(body.parameters) : undefined;
  const files = body.files
    ? Object.fromEntries(Object.entries(body.files).map(([name, digest]) => [name, parseDigest(digest)]))
    : undefined;
  const license = body.license ?? undefined;
  return {
    name: requestedModel(body),
    ...(body.from ? { from: body.from } : {}),
    ...(files ? { files } : {}),
    ...(body.template ? { template: body.template } : {}),
    ...(body.system ? { system: body.system } : {}),
    ...(license === undefined ? {} : { licenses: typeof license === 'string' ? [license] : license }),
    ...(parameters ? { parameters } : {}),
    ...(body.messages
      ? { messages: body.messages.map(({ role, content }) => ({ role, content: content ?? '' })) }
      : {}),
  };
}

/** A wrong parameter is refused when the model is made, not each time it is used. */
function checkedParameters(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  // A Modelfile may give one stop text where the list has one entry.
  const stop = parameters['stop'];
  const normal = typeof stop === 'string' ? { ...parameters, stop: [stop] } : parameters;
  const result = optionsSchema.safeParse(normal);
  if (result.success) return normal;
  const problem = findProblems(result.error)[0];
  throw new GenerationError('invalid-request', `parameters.${problem?.path} ${problem?.message}`, {
    param: `parameters.${problem?.path}`,
  });
}

function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
