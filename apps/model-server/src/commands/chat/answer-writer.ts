import type { ChatResponse } from '@hearth/protocol-types/runner/chat-response';
import type { ChatPart } from './chat-session.js';

interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Prints an answer as it comes; thoughts stand apart from it. */
export class AnswerWriter {
  private isThinking = false;

  constructor(
    private readonly output: Output,
    private readonly options: { readonly hideThinking: boolean },
  ) {}

  write(part: ChatPart): void {
    if (part.kind === 'thinking') {
      if (this.options.hideThinking) return;
      if (!this.isThinking) this.output.write(this.dim('Thinking...\n'));
      this.isThinking = true;
      this.output.write(this.dim(part.text));
    } else if (part.kind === 'text') {
      if (this.isThinking) this.output.write(this.dim('\n...done thinking.\n\n'));
      this.isThinking = false;
      this.output.write(part.text);
    }
  }

  private dim(text: string): string {
    return this.output.isTTY === true ? `\x1b[2m${text}\x1b[22m` : text;
  }
}

/** What `--verbose` adds below an answer. */
export function describeSpeed(reply: ChatResponse): string {
  const seconds = (nanoseconds: number | undefined) => (nanoseconds ?? 0) / 1e9;
  const rate = (count: number | undefined, nanoseconds: number | undefined) =>
    seconds(nanoseconds) > 0 ? `${((count ?? 0) / seconds(nanoseconds)).toFixed(1)} tokens/s` : '-';
  return [
    `total: ${seconds(reply.total_duration).toFixed(2)} s`,
    `load: ${seconds(reply.load_duration).toFixed(2)} s`,
    `prompt: ${reply.prompt_eval_count ?? 0} tokens, ${rate(reply.prompt_eval_count, reply.prompt_eval_duration)}`,
    `answer: ${reply.eval_count ?? 0} tokens, ${rate(reply.eval_count, reply.eval_duration)}`,
  ].join('\n');
}
