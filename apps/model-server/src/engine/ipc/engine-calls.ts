import type { GenerationRequest } from '../../generation/generation-request.js';

/** The part of a request that decides its prompt. */
export type PromptRequest = Pick<
  GenerationRequest,
  'prompt' | 'tools' | 'toolChoice' | 'thinking' | 'templateVariables'
>;

/** The same, with what decides how it is made to fit. */
export type RenderRequest = PromptRequest & Pick<GenerationRequest, 'overflow' | 'maxTokens'>;

/** What the server can ask a child besides generating: one question, one answer. */
export interface EngineCalls {
  'count-tokens': { readonly input: PromptRequest; readonly output: number };
  'render-prompt': { readonly input: RenderRequest; readonly output: string };
  tokenize: { readonly input: { readonly text: string }; readonly output: readonly number[] };
  detokenize: { readonly input: { readonly tokens: readonly number[] }; readonly output: string };
  embed: {
    readonly input: {
      readonly inputs: readonly (string | readonly number[])[];
      readonly overflow: 'error' | 'truncate';
    };
    readonly output: { readonly vectors: readonly Float64Array[]; readonly promptTokens: number };
  };
  rerank: {
    readonly input: { readonly query: string; readonly documents: readonly string[] };
    readonly output: { readonly scores: readonly number[]; readonly promptTokens: number };
  };
}

export type EngineCallKind = keyof EngineCalls;
