import type { Capability, ModelDetails } from './gguf/model-facts.js';

export interface StoredMessage {
  readonly role: string;
  readonly content: string;
}

export type ModelOrigin = 'store' | 'bundled' | 'folder' | 'hub-cache';

/** One model that can be served, wherever its file lies. */
export interface ModelEntry {
  /** With its tag; one spelling a model. */
  readonly name: string;
  readonly origin: ModelOrigin;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
  /** 64 hex digits: of the manifest in a store, of path, size and time for a file served in place. */
  readonly digest: string;
  readonly details: ModelDetails;
  readonly capabilities: readonly Capability[];
  /** The GGUF or its first shard. */
  readonly ggufPath: string;
  /** The template as its maker wrote it: a Go template from a registry, else Jinja. */
  readonly template: string | undefined;
  /** Jinja for the engine, where it replaces the template inside the GGUF. */
  readonly chatTemplate: string | undefined;
  readonly system: string | undefined;
  readonly licenses: readonly string[];
  /** The model's own generation options, in the runner's names (`temperature`, `stop`, `num_ctx` …). */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Turns that stand before every conversation. */
  readonly messages: readonly StoredMessage[];
  readonly parentModel: string;
  /** Why it cannot be loaded although it is listed; absent for a sound model. */
  readonly problem?: string;
}
