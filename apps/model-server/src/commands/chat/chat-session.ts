import type { ChatResponse } from '@hearth/protocol-types/runner/chat-response';
import type { ServerClient } from '../server-client.js';

export interface ChatTurn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ChatSettings {
  readonly system?: string | undefined;
  readonly format?: string | object | undefined;
  readonly think?: boolean | string | undefined;
  readonly keepAlive?: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

export type ChatPart =
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'done'; readonly reply: ChatResponse };

/** One conversation with one model. */
export class ChatSession {
  readonly turns: ChatTurn[] = [];
  settings: ChatSettings;

  constructor(
    private readonly client: ServerClient,
    public model: string,
    settings: ChatSettings,
  ) {
    this.settings = settings;
  }

  /** Brings the model into memory, if it is not there. */
  async load(signal: AbortSignal): Promise<void> {
    const { keepAlive } = this.settings;
    const body = {
      model: this.model,
      stream: false,
      ...(keepAlive === undefined ? {} : { keep_alive: keepAlive }),
    };
    await this.client.json('POST', '/api/generate', body, signal);
  }

  /** Asks and gives the answer piece by piece. What was said before an interruption stays in the conversation. */
  async *ask(text: string, signal: AbortSignal): AsyncGenerator<ChatPart> {
    this.turns.push({ role: 'user', content: text });
    let answer = '';
    try {
      for await (const reply of this.client.lines<ChatResponse>('/api/chat', this.body(), signal)) {
        const { thinking, content } = reply.message;
        if (thinking) yield { kind: 'thinking', text: thinking };
        if (content) {
          answer += content;
          yield { kind: 'text', text: content };
        }
        if (reply.done) yield { kind: 'done', reply };
      }
    } finally {
      if (answer === '') this.turns.pop();
      else this.turns.push({ role: 'assistant', content: answer });
    }
  }

  private body(): object {
    const { system, format, think, keepAlive, options } = this.settings;
    return {
      model: this.model,
      messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...this.turns],
      stream: true,
      options,
      ...(format === undefined ? {} : { format }),
      ...(think === undefined ? {} : { think }),
      ...(keepAlive === undefined ? {} : { keep_alive: keepAlive }),
    };
  }
}
