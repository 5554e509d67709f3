import type { Request, Response } from 'express';

/** Options that say how the machine is to be used. They change no answer, and this server fits them by itself. */
const machineOptions = [
  'num_thread',
  'num_gpu',
  'main_gpu',
  'num_batch',
  'num_keep',
  'use_mmap',
  'draft_num_predict',
] as const;

/**
 * Clients of a local runner send these by habit, so they are no reason to refuse a request. That they have no effect is
 * said in a header.
 */
export function nameOptionsLeftToServer(request: Request, response: Response): void {
  const body: unknown = request.body;
  const options = body !== null && typeof body === 'object' && 'options' in body ? body.options : undefined;
  if (options === null || typeof options !== 'object') return;
  const given = new Map(Object.entries(options));
  const left = machineOptions.filter((name) => given.get(name) != null);
  if (left.length > 0) response.setHeader('hearth-left-to-server', left.join(', '));
}
