/** What another part of the console wants the grid to do once it is shown. */
export type GridRequest =
  | { readonly kind: 'add' | 'import' | 'export' }
  | { readonly kind: 'find'; readonly rowId: string };

let waiting: GridRequest | undefined;
let listener: (() => void) | undefined;

export function requestOnGrid(request: GridRequest): void {
  waiting = request;
  listener?.();
}

/** Hands out each request once. */
export function onGridRequest(handle: (request: GridRequest) => void): () => void {
  const take = () => {
    const request = waiting;
    waiting = undefined;
    if (request) handle(request);
  };
  listener = take;
  take();
  return () => {
    if (listener === take) listener = undefined;
  };
}
