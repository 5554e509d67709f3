import { randomBytes } from 'node:crypto';
import type { LlamaModel } from 'node-llama-cpp';
import { GenerationError } from '../../generation/generation-error.js';
import type {
  ChatPrompt,
  GenerationRequest,
  InfillPrompt,
  PromptPart,
  RawPrompt,
} from '../../generation/generation-request.js';
import type { Message } from '../../generation/message.js';
import { grammarFor, type OutputGrammar } from '../grammar/output-grammar.js';
import type { ModelFacts } from '../ipc/child-message.js';
import type { PromptRequest, RenderRequest } from '../ipc/engine-calls.js';
import { detectToolCallDialect } from '../output/detect-tool-call-dialect.js';
import { createOutputParser, type OutputParser } from '../output/output-parser.js';
import type { ToolCallDialect } from '../output/tool-call-dialect.js';
import { blankVolatileParts } from '../prompting/blank-volatile-parts.js';
import { type ChatTemplate, createChatTemplate, fallbackTemplate } from '../prompting/chat-template.js';
import { dropOldestMessages } from '../prompting/drop-oldest-messages.js';
import type { ControlSpellings } from '../prompting/guard/control-spellings.js';
import { guardParts } from '../prompting/guard/cut-parts.js';
import { guardPrompt } from '../prompting/guard/guard-prompt.js';
import { createInfillPrompt } from '../prompting/infill-prompt.js';
import type { Vocabulary } from './vocabulary.js';

export interface PreparedPrompt {
  readonly tokens: readonly number[];
  readonly parser: OutputParser;
  /** What the reply is held to, if anything. */
  readonly grammar: OutputGrammar | undefined;
  /** What ends a thought, for a model that thinks. */
  readonly thoughtEnd: readonly number[];
}

type FittedRequest = RenderRequest & Pick<GenerationRequest, 'format' | 'parallelToolCalls'>;

/** Where old messages are dropped, this part of the context stays free for the reply. */
const replyShare = 0.25;

interface RenderedTokens {
  readonly tokens: readonly number[];
  readonly startsInsideThinking: boolean;
}

/** From a request to the tokens that the model reads, and to the parser for what it answers. */
export class PromptBuilder {
  readonly #model: LlamaModel;
  readonly #facts: ModelFacts;
  readonly #vocabulary: Vocabulary;
  #template: ChatTemplate | undefined;
  #spellings: ControlSpellings | undefined;

  constructor({ model, facts }: { model: LlamaModel; facts: ModelFacts }, vocabulary: Vocabulary) {
    this.#model = model;
    this.#facts = facts;
    this.#vocabulary = vocabulary;
  }

  async prepare(request: FittedRequest): Promise<PreparedPrompt> {
    const isChat = request.prompt.kind === 'chat';
    const { tokens, startsInsideThinking } = await this.#fit(request);
    const thinkingTags = isChat ? this.#chatTemplate().thinkingTags : undefined;
    const toolCallDialect = isChat ? this.#toolCallDialect(request) : undefined;
    return {
      tokens,
      parser: createOutputParser({
        tools: request.tools,
        toolCallDialect: request.toolChoice.kind === 'none' ? undefined : toolCallDialect,
        thinkingTags,
        startsInsideThinking,
        newCallId: () => `call_${randomBytes(12).toString('hex')}`,
      }),
      grammar: grammarFor({
        ...request,
        tools: isChat ? request.tools : [],
        toolCallDialect,
        thinkingTags,
        startsInsideThinking,
        mayThink: isChat && request.thinking.mode !== 'off',
      }),
      thoughtEnd: thinkingTags
        ? this.#vocabulary.tokenize(`\n${thinkingTags.close}\n\n`, { parseSpecial: true })
        : [],
    };
  }

  async count(request: PromptRequest): Promise<number> {
    return this.#render(request, request.prompt).tokens.length;
  }

  /** The prompt as the model would read it. */
  async render(request: RenderRequest): Promise<string> {
    return this.#vocabulary.detokenizeAll((await this.#fit(request)).tokens);
  }

  #toolCallDialect(request: PromptRequest): ToolCallDialect | undefined {
    if (request.tools.length === 0) return undefined;
    return detectToolCallDialect(this.#facts.chatTemplate ?? '') ?? 'hermes';
  }

  async #fit(request: RenderRequest): Promise<RenderedTokens> {
    const rendered = this.#render(request, request.prompt);
    const { contextLength } = this.#facts;
    // The prompt must leave room for at least one token of the reply.
    if (rendered.tokens.length < contextLength) return rendered;
    const { prompt } = request;
    if (request.overflow === 'drop-oldest-messages') {
      const wanted = Math.min(request.maxTokens ?? contextLength, Math.floor(contextLength * replyShare));
      const room = contextLength - Math.max(1, wanted);
      if (prompt.kind !== 'chat') return { ...rendered, tokens: rendered.tokens.slice(-room) };
      const withMessages = (messages: readonly Message[]): ChatPrompt => ({ ...prompt, messages });
      const kept = await dropOldestMessages(
        prompt.messages,
        (messages) => this.#render(request, withMessages(messages)).tokens.length <= room,
      );
      if (kept) return this.#render(request, withMessages(kept));
    }
    const promptTokens = rendered.tokens.length;
    throw new GenerationError(
      'context-overflow',
      `the prompt has ${promptTokens} tokens, which is more than the context of ${contextLength} tokens can hold`,
      { facts: { promptTokens, contextLength } },
    );
  }

  #render(request: PromptRequest, prompt: GenerationRequest['prompt']): RenderedTokens {
    if (prompt.kind === 'chat') return this.#renderChat(request, prompt);
    const tokens =
      prompt.kind === 'raw' && prompt.tokens
        ? this.#vocabulary.checked(prompt.tokens)
        : this.#withStart(this.#tokenize(this.#partsOf(prompt)));
    return { tokens: this.#vocabulary.orStart(tokens), startsInsideThinking: false };
  }

  #partsOf(prompt: RawPrompt | InfillPrompt): readonly PromptPart[] {
    if (prompt.kind === 'raw') {
      const { parts, text = '' } = prompt;
      return parts ? guardParts(parts, this.#controlSpellings()) : [{ kind: 'markup', text }];
    }
    const { prefixString, suffixString, middleString } = this.#model.tokens.infill;
    return createInfillPrompt(prompt, {
      prefix: prefixString ?? undefined,
      suffix: suffixString ?? undefined,
      middle: middleString ?? undefined,
    });
  }

  #tokenize(parts: readonly PromptPart[]): readonly number[] {
    return this.#vocabulary.tokenizeParts(parts, this.#controlSpellings());
  }

  #renderChat(request: PromptRequest, prompt: ChatPrompt): RenderedTokens {
    const template = this.#chatTemplate();
    const guarded = guardPrompt(
      {
        messages: blankVolatileParts(prompt.messages),
        tools: request.toolChoice.kind === 'none' ? [] : request.tools,
        variables: request.templateVariables ?? {},
      },
      this.#controlSpellings(),
      template.thinkingTags,
    );
    const { text, startsInsideThinking } = template.render({
      ...guarded,
      addGenerationPrompt: !prompt.continueLastMessage,
      thinking: request.thinking,
      ...(prompt.continueLastMessage ? { continueLastMessage: true } : {}),
    });
    const tokens = this.#tokenize(guarded.parts(text));
    const before = this.#vocabulary.checked(prompt.contextTokens ?? []);
    const all = before.length > 0 ? [...before, ...tokens] : this.#withStart(tokens);
    return { tokens: this.#vocabulary.orStart(all), startsInsideThinking };
  }

  #controlSpellings(): ControlSpellings {
    if (!this.#spellings) {
      const { prefixString, suffixString, middleString } = this.#model.tokens.infill;
      const markup = [this.#facts.chatTemplate ?? fallbackTemplate, prefixString, suffixString, middleString];
      this.#spellings = this.#vocabulary.controlSpellings(markup.join('\n'));
    }
    return this.#spellings;
  }

  #withStart(tokens: readonly number[]): readonly number[] {
    const start = this.#vocabulary.startToken;
    return start === undefined || tokens[0] === start ? tokens : [start, ...tokens];
  }

  /** Parsed when first needed: a model without chats never needs it, and a broken template breaks chats only. */
  #chatTemplate(): ChatTemplate {
    this.#template ??= createChatTemplate({
      template: this.#facts.chatTemplate,
      bosToken: this.#model.tokens.bosString ?? '',
      eosToken: this.#model.tokens.eosString ?? '',
    });
    return this.#template;
  }
}
