import type { TensorInfo } from './tensor-types.js';

export type GgufScalar = string | number | boolean;

/** An array of the header; `values` is empty when it is longer than the reader was asked to keep. */
export interface GgufArray {
  readonly length: number;
  readonly values: readonly GgufScalar[];
}

export type GgufValue = GgufScalar | GgufArray;

/** What stands before the weights in a GGUF file. */
export interface GgufHeader {
  readonly version: number;
  readonly metadata: ReadonlyMap<string, GgufValue>;
  readonly tensors: readonly TensorInfo[];
  /** How long the file must be for its tensors; less means it was not copied whole. */
  readonly expectedFileBytes: number;
}

export function metadataText(header: GgufHeader, key: string): string | undefined {
  const value = header.metadata.get(key);
  return typeof value === 'string' ? value : undefined;
}

export function metadataNumber(header: GgufHeader, key: string): number | undefined {
  const value = header.metadata.get(key);
  return typeof value === 'number' ? value : undefined;
}

/** Hyperparameters are named after the architecture: `llama.context_length`. */
export function architectureNumber(header: GgufHeader, key: string): number | undefined {
  return metadataNumber(header, `${metadataText(header, 'general.architecture') ?? ''}.${key}`);
}
