import { findProblems } from '@hearth/protocol-types/common/find-problems';
import { type CreateRequest, createRequestSchema } from '@hearth/protocol-types/runner/create-request';
import { optionsSchema } from '@hearth/protocol-types/runner/options';
import { outdatedOptions } from '@hearth/protocol-types/runner/outdated-options';
import type { Request } from 'express';
import { GenerationError } from '../../generation/generation-error.js';
import { parseBody } from '../../http/parse-body.js';
import type { CreateSpec } from '../../models/create/create-spec.js';
import type { StoredMessage } from '../../models/model-entry.js';
import { parseDigest } from '../../models/store/digest.js';
import { requestedModel } from './requested-model.js';

type CreateMessage = NonNullable<CreateRequest['messages']>[number];

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

const refusedInMessages = {
  images: 'images in the messages of a model are not supported',
  tool_calls: 'tool calls in the messages of a model are not supported',
} as const satisfies Partial<Record<keyof CreateMessage, string>>;

export function parseCreate(request: Request): CreateSpec {
  const body = parseBody(request, createRequestSchema);
  for (const [field, reason] of Object.entries(refused)) {
    if (isGiven(body[field as keyof CreateRequest])) {
      throw new GenerationError('unsupported', reason, { param: field });
    }
  }
  const given = body.parameters ?? {};
  const outdated = Object.keys(given).filter((name) => outdatedOptions.has(name));
  const parameters = checkedParameters(without(given, outdated));
  const messages = body.messages ?? [];
  const withoutEffect = [
    ...outdated,
    ...(isGiven(body.requires) ? ['requires'] : []),
    ...(messages.some(({ thinking }) => isGiven(thinking)) ? ['messages.thinking'] : []),
  ];
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
    parameters,
    messages: messages.map(checkedMessage),
    withoutEffect,
  };
}

/** A wrong parameter is refused when the model is made, not each time it is used. */
function checkedParameters(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const unknown = Object.keys(parameters).find((name) => !Object.hasOwn(optionsSchema.shape, name));
  if (unknown !== undefined) {
    throw new GenerationError('invalid-request', `unknown parameter '${unknown}'`, {
      param: `parameters.${unknown}`,
    });
  }
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

/** The first messages of every chat are kept as roles and texts. */
function checkedMessage(message: CreateMessage, position: number): StoredMessage {
  for (const [field, reason] of Object.entries(refusedInMessages)) {
    if (isGiven(message[field as keyof typeof refusedInMessages])) {
      throw new GenerationError('unsupported', reason, { param: `messages.${position}.${field}` });
    }
  }
  const { role, content } = message;
  if (role === 'tool') {
    throw new GenerationError(
      'unsupported',
      'results of tools in the messages of a model are not supported',
      {
        param: `messages.${position}.role`,
      },
    );
  }
  return { role, content: content ?? '' };
}

function without(values: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
