/** One piece of work that several callers wait for: begun by the first, ended early only when the last one leaves. */
export class SharedWork<Progress> {
  private readonly running = new Map<string, Running<Progress>>();

  /** Joins the work of this key, or begins it. Rejects with the signal's reason when this caller leaves. */
  async join(
    key: string,
    options: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
    begin: (signal: AbortSignal, report: (progress: Progress) => void) => Promise<void>,
  ): Promise<void> {
    const { signal, onProgress } = options;
    signal.throwIfAborted();
    const running = this.running.get(key) ?? this.start(key, begin);
    running.listeners.add(onProgress);
    if (running.latest !== undefined) onProgress(running.latest);
    let leave: () => void = () => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      await Promise.race([running.end, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      running.listeners.delete(onProgress);
      if (running.listeners.size === 0 && this.running.get(key) === running) {
        // Taken out at once: whoever comes next begins anew after the old one has stopped, and does not join its end.
        this.running.delete(key);
        running.stop.abort(signal.reason);
        if (signal.aborted) await running.end.catch(() => undefined);
      }
    }
  }

  private start(
    key: string,
    begin: (signal: AbortSignal, report: (progress: Progress) => void) => Promise<void>,
  ): Running<Progress> {
    const stop = new AbortController();
    const before = this.ending.get(key) ?? Promise.resolve();
    const running: Running<Progress> = { listeners: new Set(), stop, latest: undefined, end: before };
    running.end = before.then(() =>
      begin(stop.signal, (progress) => {
        running.latest = progress;
        for (const listener of running.listeners) listener(progress);
      }),
    );
    const settled = running.end
      .catch(() => undefined)
      .then(() => {
        if (this.running.get(key) === running) this.running.delete(key);
        if (this.ending.get(key) === settled) this.ending.delete(key);
      });
    this.ending.set(key, settled);
    this.running.set(key, running);
    return running;
  }

  private readonly ending = new Map<string, Promise<void>>();
}

interface Running<Progress> {
  readonly listeners: Set<(progress: Progress) => void>;
  readonly stop: AbortController;
  latest: Progress | undefined;
  end: Promise<void>;
}
