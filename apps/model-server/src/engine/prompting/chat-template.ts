import { GenerationError } from '../../generation/generation-error.js';
import type { Thinking } from '../../generation/generation-request.js';
import type { Message } from '../../generation/message.js';
import type { Tool } from '../../generation/tool.js';
import { detectThinkingTags, type ThinkingTags } from '../output/thinking-tags.js';
import { compileTemplate, TemplateRefusal } from './compile-template.js';
import { probeTemplate } from './probe-template.js';
import { foldAllSystem, foldLaterSystem, repairsInOrder, toolTurnsAsText } from './repair-messages.js';
import { templateMessages, templateTools } from './template-messages.js';
import { endsInsideThinking, endThinking, openThinking, thinkingVariables } from './thinking-switch.js';
import { withToolsDescribed } from './tools-as-text.js';

/** ChatML, which most models without a template of their own have seen. */
export const fallbackTemplate =
  "{%- for message in messages %}{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{%- endfor %}" +
  "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}";

export interface ChatTemplateCapabilities {
  /** The template itself shows tools to the model; otherwise they are described in the system message. */
  readonly tools: boolean;
  /** The model can think before it answers. */
  readonly thinking: boolean;
  /** Thinking can be turned on and off for one request. */
  readonly thinkingSwitch: boolean;
  readonly system: boolean;
  /** A system message in the middle of a conversation is shown where it stands. */
  readonly laterSystem: boolean;
}

export interface ChatTemplateInput {
  readonly messages: readonly Message[];
  readonly tools?: readonly Tool[];
  /** Open the assistant's turn. */
  readonly addGenerationPrompt: boolean;
  /** Leave the last message, an assistant's, open, so that the model goes on with it. */
  readonly continueLastMessage?: boolean;
  readonly thinking?: Thinking;
  /** More variables for the template, from the caller. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

export interface RenderedPrompt {
  readonly text: string;
  /** The prompt ends inside an open thinking block: the first generated token is a thought. */
  readonly startsInsideThinking: boolean;
}

export interface ChatTemplate {
  readonly capabilities: ChatTemplateCapabilities;
  readonly thinkingTags: ThinkingTags | undefined;
  render(input: ChatTemplateInput): RenderedPrompt;
}

export interface ChatTemplateOptions {
  /** The Jinja text out of the GGUF; without one, ChatML. */
  readonly template: string | undefined;
  readonly bosToken: string;
  readonly eosToken: string;
  readonly now?: () => Date;
}

// Private-use characters: no tokenizer, template or person writes them.
const sentinel = '\uE000\uE001hearth\uE001\uE000';

/** Parses and probes a chat template once. Throws `unsupported` for a template that cannot be parsed. */
export function createChatTemplate(options: ChatTemplateOptions): ChatTemplate {
  const source = options.template ?? fallbackTemplate;
  const renderJinja = compileTemplate(source, options.now ?? (() => new Date()));
  const special = { bos_token: options.bosToken, eos_token: options.eosToken };
  const traits = probeTemplate(renderJinja, source, special);
  const tags = detectThinkingTags(source);

  /** What the template would drop without a word is put where it shows. */
  function fitted(messages: readonly Message[], tools: readonly Tool[]): readonly Message[] {
    let fit = traits.showsTools ? messages : withToolsDescribed(messages, tools);
    if (!traits.showsToolTurns) fit = toolTurnsAsText(fit);
    if (!traits.showsSystem) return foldAllSystem(fit);
    return !traits.showsLaterSystem && fit.some(({ role }, index) => role === 'system' && index > 0)
      ? foldLaterSystem(fit)
      : fit;
  }

  function renderMessages(
    messages: readonly Message[],
    variables: Readonly<Record<string, unknown>>,
  ): string {
    let refusal: unknown;
    let attempt = messages;
    for (const repair of [undefined, ...repairsInOrder]) {
      attempt = repair ? repair(attempt) : attempt;
      try {
        return renderJinja({ ...variables, messages: templateMessages(attempt, traits.shape) });
      } catch (error) {
        refusal ??= error;
      }
    }
    const why = refusal instanceof Error ? refusal.message : 'unknown reason';
    throw new GenerationError(
      'invalid-request',
      refusal instanceof TemplateRefusal
        ? `the chat template of this model refuses the messages: ${why}`
        : `the chat template of this model cannot render the messages: ${why}`,
      { param: 'messages', cause: refusal },
    );
  }

  function render(input: ChatTemplateInput): RenderedPrompt {
    const { thinking = { mode: 'model-default' } } = input;
    const tools = input.tools ?? [];
    const variables = {
      ...thinkingVariables(thinking, source),
      ...input.variables,
      ...special,
      ...(traits.showsTools && tools.length > 0 ? { tools: templateTools(tools) } : {}),
    };
    const messages = fitted(input.messages, tools);
    if (input.continueLastMessage) return renderOpen(messages, variables, thinking);
    const text = renderMessages(messages, { ...variables, add_generation_prompt: input.addGenerationPrompt });
    return input.addGenerationPrompt ? opened(text, thinking) : { text, startsInsideThinking: false };
  }

  function opened(text: string, thinking: Thinking): RenderedPrompt {
    const inside = endsInsideThinking(text, tags);
    if (inside && tags && thinking.mode === 'off') {
      return { text: endThinking(text, tags), startsInsideThinking: false };
    }
    return { text, startsInsideThinking: inside };
  }

  /**
   * A mark at the end of the last message shows where the template put its text; what follows the mark (end of turn,
   * generation prompt) is cut off. This holds for every template, whatever it closes a turn with.
   */
  function renderOpen(
    messages: readonly Message[],
    variables: Readonly<Record<string, unknown>>,
    thinking: Thinking,
  ): RenderedPrompt {
    const last = messages.at(-1);
    if (last?.role !== 'assistant' || last.toolCalls?.length) {
      throw new GenerationError(
        'invalid-request',
        'only a last message of the assistant without tool calls can be continued',
        {
          param: 'messages',
        },
      );
    }
    const before = messages.slice(0, -1);
    if (last.content === '') {
      const start = opened(renderMessages(before, { ...variables, add_generation_prompt: true }), thinking);
      if (!last.thinking || !tags) return start;
      const open = start.startsInsideThinking ? start.text : openThinking(start.text, tags);
      return { text: open + last.thinking, startsInsideThinking: true };
    }
    const marked = [...before, { ...last, content: last.content + sentinel }];
    const rendered = renderMessages(marked, { ...variables, add_generation_prompt: false });
    const end = rendered.indexOf(sentinel);
    if (end < 0) {
      throw new GenerationError('unsupported', 'the chat template of this model cannot continue a message', {
        param: 'messages',
      });
    }
    const inside =
      tags !== undefined && last.content.lastIndexOf(tags.open) > last.content.lastIndexOf(tags.close);
    return { text: rendered.slice(0, end), startsInsideThinking: inside };
  }

  return {
    capabilities: {
      tools: traits.showsTools,
      thinking: tags !== undefined || traits.switchesThinking,
      thinkingSwitch: traits.switchesThinking,
      system: traits.showsSystem,
      laterSystem: traits.showsLaterSystem,
    },
    thinkingTags: tags,
    render,
  };
}
