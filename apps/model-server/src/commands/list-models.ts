import type { PsResponse } from '@hearth/protocol-types/runner/ps-response';
import type { TagsResponse } from '@hearth/protocol-types/runner/tags-response';
import { formatBytes } from '../models/transfer/format-bytes.js';
import { type CommandContext, printJson } from './command-context.js';
import { formatRelativeTime, formatTable } from './format.js';

export async function listModels(
  context: CommandContext,
  filter: string | undefined,
  options: { readonly json?: boolean },
): Promise<void> {
  const { models } = await context.client.json<TagsResponse>('GET', '/api/tags');
  const wanted = models.filter((model) => model.name.toLowerCase().startsWith((filter ?? '').toLowerCase()));
  if (options.json === true) {
    printJson(context, { models: wanted });
    return;
  }
  const now = new Date();
  const rows = wanted.map((model) => [
    model.name,
    model.digest.slice(0, 12),
    formatBytes(model.size),
    formatRelativeTime(new Date(model.modified_at), now),
  ]);
  context.stdout.write(formatTable(['NAME', 'ID', 'SIZE', 'MODIFIED'], rows));
}

export async function listLoaded(
  context: CommandContext,
  options: { readonly json?: boolean },
): Promise<void> {
  const loaded = await context.client.json<PsResponse>('GET', '/api/ps');
  if (options.json === true) {
    printJson(context, loaded);
    return;
  }
  const now = new Date();
  const rows = loaded.models.map((model) => [
    model.name,
    model.digest.slice(0, 12),
    formatBytes(model.size),
    processor(model.size, model.size_vram),
    String(model.context_length),
    formatRelativeTime(new Date(model.expires_at), now),
  ]);
  context.stdout.write(formatTable(['NAME', 'ID', 'SIZE', 'PROCESSOR', 'CONTEXT', 'UNTIL'], rows));
}

function processor(size: number, onGpu: number): string {
  if (onGpu <= 0 || size <= 0) return '100% CPU';
  if (onGpu >= size) return '100% GPU';
  const share = Math.round((onGpu / size) * 100);
  return `${100 - share}%/${share}% CPU/GPU`;
}
