/** What the engine must know of a model to load it. */
export interface ModelFile {
  /** The full name with its tag, one spelling a model. */
  readonly name: string;
  /** The GGUF, or the first shard of it. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Replaces the template of the GGUF; Jinja. */
  readonly chatTemplate?: string;
}

/** The port through which the engine finds the file behind a name; the model library implements it. */
export interface ModelSource {
  /** Throws a GenerationError `model-not-found` or `invalid-request` (a name that cannot be one). */
  resolve(name: string): Promise<ModelFile>;
}
