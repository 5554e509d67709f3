import type { ProgressResponse } from '@hearth/protocol-types/runner/progress-response';
import { formatBytes } from '../models/transfer/format-bytes.js';
import type { CommandContext } from './command-context.js';
import { formatDuration } from './format.js';

/** Prints progress as it comes: a bar that redraws itself on a terminal, plain lines elsewhere. */
export async function showProgress(
  { stderr }: Pick<CommandContext, 'stderr'>,
  lines: AsyncIterable<ProgressResponse>,
): Promise<void> {
  const view = stderr.isTTY === true ? new TerminalView(stderr) : new PlainView(stderr);
  try {
    for await (const line of lines) view.show(line);
  } finally {
    view.end();
  }
}

/** What belongs on one line of the terminal. */
function keyOf(line: ProgressResponse): string {
  return line.digest ?? line.status;
}

interface ProgressView {
  show(line: ProgressResponse): void;
  end(): void;
}

class TerminalView implements ProgressView {
  private current: string | undefined;
  private readonly rates = new Map<string, RateMeter>();

  constructor(private readonly output: CommandContext['stderr']) {}

  show(line: ProgressResponse): void {
    const key = keyOf(line);
    if (this.current !== undefined && this.current !== key) this.output.write('\n');
    this.current = key;
    this.output.write(`\r\x1b[2K${this.textOf(line)}`);
  }

  end(): void {
    if (this.current !== undefined) this.output.write('\n');
  }

  private textOf(line: ProgressResponse): string {
    if (line.total === undefined) return line.status;
    const completed = line.completed ?? 0;
    const key = keyOf(line);
    const meter = this.rates.get(key) ?? new RateMeter();
    this.rates.set(key, meter);
    const rate = meter.update(completed, Date.now());
    const share = line.total === 0 ? 1 : completed / line.total;
    const left = rate > 0 && share < 1 ? formatDuration((line.total - completed) / rate) : '';
    const facts = [
      `${formatBytes(completed)}/${formatBytes(line.total)}`,
      ...(rate > 0 ? [`${formatBytes(rate)}/s`] : []),
      left,
    ].join('  ');
    const start = `${line.status} ${String(Math.floor(share * 100)).padStart(3)}% `;
    const room = (this.output.columns ?? 80) - start.length - facts.length - 4;
    const width = Math.max(0, Math.min(40, room));
    const filled = Math.round(width * share);
    const bar = width < 5 ? '' : `▕${'█'.repeat(filled)}${' '.repeat(width - filled)}▏ `;
    return (start + bar + facts).slice(0, (this.output.columns ?? 80) - 1);
  }
}

/** Bytes per second over the last few seconds. */
class RateMeter {
  private readonly samples: { readonly bytes: number; readonly at: number }[] = [];

  update(bytes: number, at: number): number {
    this.samples.push({ bytes, at });
    while (this.samples.length > 2 && at - (this.samples[0]?.at ?? at) > 5000) this.samples.shift();
    const first = this.samples[0];
    if (!first || at - first.at < 200) return 0;
    return ((bytes - first.bytes) / (at - first.at)) * 1000;
  }
}

/** For logs and pipes: each status once, and each tenth of a transfer. */
class PlainView implements ProgressView {
  private status: string | undefined;
  private tenth = -1;

  constructor(private readonly output: CommandContext['stderr']) {}

  show(line: ProgressResponse): void {
    if (line.total === undefined) {
      if (line.status !== this.status) this.output.write(`${line.status}\n`);
      this.status = line.status;
      return;
    }
    const completed = line.completed ?? 0;
    const tenth = Math.floor((completed / Math.max(1, line.total)) * 10);
    if (line.status === this.status && tenth === this.tenth) return;
    this.status = line.status;
    this.tenth = tenth;
    this.output.write(
      `${line.status} ${tenth * 10}% (${formatBytes(completed)}/${formatBytes(line.total)})\n`,
    );
  }

  end(): void {
    this.status = undefined;
  }
}
