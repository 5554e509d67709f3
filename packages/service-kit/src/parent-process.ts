/** What a service tells the process that started it, where that process listens. */
export interface ReadyMessage {
  readonly kind: 'ready';
  readonly url: string;
}

/** Says that requests are answered now, so that a starter need not guess by asking a port that may be another's. */
export function announceReady(url: string): void {
  process.send?.({ kind: 'ready', url } satisfies ReadyMessage);
}
