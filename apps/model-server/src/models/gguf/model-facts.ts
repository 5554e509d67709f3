import { fileTypeName } from './file-type-names.js';
import { architectureNumber, type GgufHeader, metadataNumber, metadataText } from './gguf-header.js';

export interface ModelDetails {
  readonly format: string;
  readonly family: string;
  readonly families: readonly string[];
  /** As people say it: `3.2B`. */
  readonly parameterSize: string;
  readonly quantizationLevel: string;
  readonly contextLength: number;
  readonly embeddingLength: number;
}

export type Capability = 'completion' | 'embedding' | 'rerank' | 'tools' | 'thinking' | 'insert';

/** What the header of one GGUF says of its model. */
export interface ModelFacts {
  readonly details: ModelDetails;
  readonly capabilities: readonly Capability[];
  readonly parameterCount: number;
  readonly chatTemplate: string | undefined;
}

const rankPooling = 4;

export function modelFacts(header: GgufHeader): ModelFacts {
  const family = metadataText(header, 'general.architecture') ?? 'unknown';
  const chatTemplate = metadataText(header, 'tokenizer.chat_template');
  const parameterCount = countParameters(header);
  return {
    details: {
      format: 'gguf',
      family,
      families: [family],
      parameterSize: parameterSizeText(parameterCount),
      quantizationLevel: fileTypeName(metadataNumber(header, 'general.file_type')),
      contextLength: architectureNumber(header, 'context_length') ?? 0,
      embeddingLength: architectureNumber(header, 'embedding_length') ?? 0,
    },
    capabilities: capabilitiesOf(header, chatTemplate),
    parameterCount,
    chatTemplate,
  };
}

/** How each family marks its thoughts, in Jinja and, last, in the Go templates of registries. */
const thinkingMarks = [
  '</think>',
  '[THINK]',
  '<seed:think>',
  '<|START_THINKING|>',
  '<|begin_of_thought|>',
  '<|channel>thought',
  '<|channel|>analysis',
  '◁think▷',
  '.Thinking',
];

/** What a template lets a model do; a model created with a template of its own is judged by that one. */
export function templateCapabilities(template: string | undefined): readonly Capability[] {
  if (template === undefined) return [];
  const found: Capability[] = [];
  if (/\btool_calls?\b|\btools\b|\.Tools\b/.test(template)) found.push('tools');
  if (thinkingMarks.some((mark) => template.includes(mark))) found.push('thinking');
  return found;
}

function capabilitiesOf(header: GgufHeader, chatTemplate: string | undefined): readonly Capability[] {
  const pooling = architectureNumber(header, 'pooling_type');
  // Pooling is a mark of encoders; a decoder such as a chat model may be asked for embeddings all the same.
  if (pooling !== undefined) return [pooling === rankPooling ? 'rerank' : 'embedding'];
  const hasInfillTokens = ['fim_pre_token_id', 'prefix_token_id'].some((key) =>
    header.metadata.has(`tokenizer.ggml.${key}`),
  );
  return [
    'completion',
    ...templateCapabilities(chatTemplate),
    ...(hasInfillTokens ? (['insert'] as const) : []),
  ];
}

function countParameters(header: GgufHeader): number {
  return header.tensors.reduce(
    (total, tensor) => total + tensor.shape.reduce((product, length) => product * length, 1),
    0,
  );
}

export function parameterSizeText(count: number): string {
  if (count >= 1e12) return `${trimmed(count / 1e12)}T`;
  if (count >= 1e9) return `${trimmed(count / 1e9)}B`;
  if (count >= 1e6) return `${trimmed(count / 1e6, 2)}M`;
  if (count >= 1e3) return `${trimmed(count / 1e3, 2)}K`;
  return String(count);
}

function trimmed(value: number, digits = 1): string {
  return String(Number(value.toFixed(digits)));
}
