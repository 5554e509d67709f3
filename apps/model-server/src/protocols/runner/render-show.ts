import type { ShowResponse } from '@hearth/protocol-types/runner/show-response';
import { type GgufHeader, metadataText } from '../../models/gguf/gguf-header.js';
import { modelFacts } from '../../models/gguf/model-facts.js';
import type { ModelEntry } from '../../models/model-entry.js';
import { parameterLines, renderModelfile } from './render-modelfile.js';
import { renderDetails } from './render-tags.js';

/** All about one model: what its maker said of it and what its file says. */
export function renderShow(
  entry: ModelEntry,
  header: GgufHeader,
  { verbose }: { readonly verbose: boolean },
): ShowResponse {
  const template = entry.template ?? metadataText(header, 'tokenizer.chat_template') ?? '';
  const parameters = parameterLines(entry.parameters, (name, value) => `${name.padEnd(30)} ${value}`);
  return {
    ...(entry.licenses.length > 0 ? { license: entry.licenses.join('\n') } : {}),
    modelfile: renderModelfile(entry, template),
    ...(parameters.length > 0 ? { parameters: parameters.join('\n') } : {}),
    template,
    ...(entry.system ? { system: entry.system } : {}),
    details: renderDetails(entry),
    ...(entry.messages.length > 0 ? { messages: entry.messages.map((message) => ({ ...message })) } : {}),
    model_info: {
      ...Object.fromEntries(
        [...header.metadata].map(([key, value]) => [key, typeof value === 'object' ? value.values : value]),
      ),
      'general.parameter_count': modelFacts(header).parameterCount,
    },
    ...(verbose
      ? { tensors: header.tensors.map(({ name, type, shape }) => ({ name, type, shape: [...shape] })) }
      : {}),
    capabilities: [...entry.capabilities],
    modified_at: entry.modifiedAt.toISOString(),
  };
}
