/** A JSON Schema as the caller sent it, every keyword kept. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

export interface Tool {
  readonly name: string;
  readonly description?: string;
  readonly parameters: JsonSchema;
  /** Whether the arguments must match the schema exactly, enforced by grammar. */
  readonly strict?: boolean;
}

export type ToolChoice =
  | { readonly kind: 'auto' }
  | { readonly kind: 'none' }
  | { readonly kind: 'required' }
  | { readonly kind: 'tool'; readonly name: string };

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, exactly as generated or as the caller sent it back. */
  readonly argumentsText: string;
}
