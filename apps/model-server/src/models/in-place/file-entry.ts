import { createHash } from 'node:crypto';
import type { GgufFacts } from '../gguf/gguf-facts-cache.js';
import type { ModelEntry, ModelOrigin } from '../model-entry.js';

/** A GGUF served from where it lies. It has no manifest, so its digest stands for the place, the size and the time. */
export function fileEntry(file: {
  readonly name: string;
  readonly origin: ModelOrigin;
  readonly path: string;
  readonly facts: GgufFacts;
}): ModelEntry {
  const { name, origin, path, facts } = file;
  return {
    name,
    origin,
    sizeBytes: facts.sizeBytes,
    modifiedAt: facts.modifiedAt,
    digest: createHash('sha256')
      .update(JSON.stringify([path, facts.sizeBytes, facts.modifiedAt.getTime()]))
      .digest('hex'),
    details: facts.details,
    capabilities: facts.capabilities,
    ggufPath: path,
    template: facts.chatTemplate,
    chatTemplate: undefined,
    system: undefined,
    licenses: facts.license === undefined ? [] : [facts.license],
    parameters: {},
    messages: [],
    parentModel: '',
  };
}
