/** Why generation ended, with the stop string that fired, because one dialect must name it. */
export type FinishReason =
  | { readonly kind: 'end' }
  | { readonly kind: 'stop-string'; readonly matched: string }
  | { readonly kind: 'max-tokens' }
  | { readonly kind: 'context-full' }
  | { readonly kind: 'tool-calls' };
