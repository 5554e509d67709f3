import { createInterface, type Interface } from 'node:readline';
import type { CommandContext } from '../command-context.js';
import { AnswerWriter, describeSpeed } from './answer-writer.js';
import { type ChatState, runChatCommand } from './chat-commands.js';
import type { ChatHistory } from './chat-history.js';
import { ChatInput } from './chat-input.js';
import type { ChatSession } from './chat-session.js';
import { PastedLines, pasteMarks } from './pasted-lines.js';

export interface InteractiveChatOptions {
  readonly hideThinking: boolean;
  readonly verbose: boolean;
  readonly history: ChatHistory;
}

const prompt = '>>> ';
const morePrompt = '... ';

/** A chat at the terminal, until `/bye` or Ctrl-D. */
export async function interactiveChat(
  context: CommandContext,
  session: ChatSession,
  options: InteractiveChatOptions,
): Promise<void> {
  const { stdin, stdout, client } = context;
  const readline = createInterface({
    input: stdin,
    output: stdout,
    terminal: true,
    prompt,
    history: options.history.load(),
    historySize: 500,
  });
  const chat = new InteractiveChat(
    readline,
    context,
    { session, client, verbose: options.verbose, keepsHistory: true },
    options,
  );
  const leaving = new AbortController();
  // The model loads while the first question is typed; what goes wrong with it is told with the answer.
  session.load(leaving.signal).catch(() => undefined);
  try {
    await chat.run();
  } finally {
    leaving.abort();
  }
}

class InteractiveChat {
  private readonly input = new ChatInput();
  private readonly pasted: PastedLines;
  private answering: AbortController | undefined;
  private work: Promise<void> = Promise.resolve();
  private isOver = false;

  constructor(
    private readonly readline: Interface,
    private readonly context: CommandContext,
    private readonly state: ChatState,
    private readonly options: InteractiveChatOptions,
  ) {
    this.pasted = new PastedLines(context.stdin);
  }

  async run(): Promise<void> {
    const { stdout } = this.context;
    stdout.write(
      `${pasteMarks.on}Talking to ${this.state.session.model}. Type /? for help, /bye to leave.\n`,
    );
    await new Promise<void>((resolve) => {
      this.readline.on('line', (line) => {
        if (this.state.keepsHistory) this.options.history.add(line);
        const text = this.pasted.add(line);
        // Lines typed while an answer comes wait for their turn.
        if (text !== undefined) this.work = this.work.then(() => this.take(text));
      });
      this.readline.on('SIGINT', () => this.interrupt());
      this.readline.on('close', () => {
        this.isOver = true;
        stdout.write(pasteMarks.off);
        this.answering?.abort();
        void this.work.then(resolve);
      });
      this.readline.prompt();
    });
  }

  private interrupt(): void {
    if (this.answering) {
      this.answering.abort();
      return;
    }
    const wasTyping = this.readline.line !== '' || this.input.isOpen || !this.pasted.isEmpty;
    this.input.reset();
    this.pasted.reset();
    // To the end of the line, and away with all before it.
    this.readline.write(null, { ctrl: true, name: 'e' });
    this.readline.write(null, { ctrl: true, name: 'u' });
    this.context.stdout.write(wasTyping ? '\n' : '\nUse Ctrl-D or /bye to leave.\n');
    this.ask(prompt);
  }

  private async take(line: string): Promise<void> {
    if (this.isOver) return;
    const result = this.input.feed(line);
    try {
      if (result.kind === 'command') {
        const outcome = await runChatCommand(this.state, result.name, result.argument);
        if (outcome === 'bye') {
          this.readline.close();
          return;
        }
        this.context.stdout.write(outcome.text);
      } else if (result.kind === 'message') {
        await this.answer(result.text);
      }
    } catch (error) {
      // What goes wrong ends the turn and not the chat.
      this.context.stdout.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`);
    }
    this.ask(result.kind === 'more' ? morePrompt : prompt);
  }

  private async answer(text: string): Promise<void> {
    const { stdout } = this.context;
    const writer = new AnswerWriter(stdout, this.options);
    const answering = new AbortController();
    this.answering = answering;
    let hasBegun = false;
    try {
      for await (const part of this.state.session.ask(text, answering.signal)) {
        hasBegun = true;
        writer.write(part);
        if (part.kind === 'done' && this.state.verbose) stdout.write(`\n\n${describeSpeed(part.reply)}`);
      }
    } catch (error) {
      if (!answering.signal.aborted) throw error;
    } finally {
      this.answering = undefined;
      if (hasBegun || answering.signal.aborted) stdout.write('\n\n');
    }
  }

  private ask(text: string): void {
    // Asking would open the keyboard again, with nobody to take what is typed.
    if (this.isOver) return;
    this.readline.setPrompt(text);
    this.readline.prompt();
  }
}
