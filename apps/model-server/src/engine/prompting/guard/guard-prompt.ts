import type { PromptPart } from '../../../generation/generation-request.js';
import type { Message } from '../../../generation/message.js';
import type { Tool, ToolCall } from '../../../generation/tool.js';
import type { ThinkingTags } from '../../output/thinking-tags.js';
import type { ControlSpellings } from './control-spellings.js';
import { cutParts } from './cut-parts.js';
import { StandIns } from './stand-ins.js';

/** What a chat template is given by the caller: all of it is text to be read, none of it markup. */
export interface PromptInput {
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface GuardedPrompt extends PromptInput {
  /** The rendered prompt in parts. Text in which the caller spelled control tokens is plain; most prompts are one part. */
  readonly parts: (rendered: string) => readonly PromptPart[];
}

const jsonString = /"(?:[^"\\]|\\.)*"/g;
// Escapes in whole pairs: after an escaped backslash a "u003c" is just these letters.
const jsonEscape = /\\(?:u([0-9a-fA-F]{4})|[^u])/g;

/**
 * Marks the caller's text before the template sees it, so that afterwards a control token that the caller spelled can be
 * told from one that the template wrote. It does not matter what the template does with the text in between, because
 * each character carries its own mark. Without this, anyone whose text gets into a prompt could end his turn and speak
 * as the system.
 *
 * Thinking tags in an assistant's turn stay as they are: templates look for them there to cut old thoughts off.
 */
export function guardPrompt(
  input: PromptInput,
  spellings: ControlSpellings,
  thinkingTags: ThinkingTags | undefined,
): GuardedPrompt {
  const standIns = new StandIns(spellings.edges, JSON.stringify(input));
  const mark = (text: string) => standIns.mark(text);

  function markAssistant(text: string): string {
    if (!thinkingTags) return mark(text);
    const { open, close } = thinkingTags;
    return text
      .split(open)
      .map((part) => part.split(close).map(mark).join(close))
      .join(open);
  }

  function markDeep(value: unknown): unknown {
    if (typeof value === 'string') return mark(value);
    if (Array.isArray(value)) return value.map(markDeep);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [mark(key), markDeep(item)]));
  }

  function markRecord(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, markDeep(item)]));
  }

  /** JSON stays JSON: only strings are marked, and what they spell by escapes counts as if written out. */
  function markArguments(text: string): string {
    try {
      JSON.parse(text);
    } catch {
      return mark(text);
    }
    return text.replace(jsonString, (string) =>
      mark(
        string.replace(jsonEscape, (escaped, code: string | undefined) => {
          const character = code === undefined ? '' : String.fromCharCode(Number.parseInt(code, 16));
          return spellings.edges.has(character) ? mark(character) : escaped;
        }),
      ),
    );
  }

  function markCall(call: ToolCall): ToolCall {
    return { id: mark(call.id), name: mark(call.name), argumentsText: markArguments(call.argumentsText) };
  }

  function markMessage(message: Message): Message {
    if (message.role === 'assistant') {
      return {
        ...message,
        content: markAssistant(message.content),
        ...(message.thinking === undefined ? {} : { thinking: markAssistant(message.thinking) }),
        ...(message.toolCalls ? { toolCalls: message.toolCalls.map(markCall) } : {}),
      };
    }
    if (message.role !== 'tool') return { ...message, content: mark(message.content) };
    return {
      ...message,
      content: mark(message.content),
      ...(message.toolCallId === undefined ? {} : { toolCallId: mark(message.toolCallId) }),
      ...(message.toolName === undefined ? {} : { toolName: mark(message.toolName) }),
    };
  }

  function markTool(tool: Tool): Tool {
    return {
      ...tool,
      name: mark(tool.name),
      ...(tool.description === undefined ? {} : { description: mark(tool.description) }),
      parameters: typeof tool.parameters === 'boolean' ? tool.parameters : markRecord(tool.parameters),
    };
  }

  return {
    messages: input.messages.map(markMessage),
    tools: input.tools.map(markTool),
    variables: markRecord(input.variables),
    parts: (rendered) => cutParts(standIns.unescape(rendered), standIns, spellings),
  };
}
