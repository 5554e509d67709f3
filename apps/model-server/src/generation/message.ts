import type { ToolCall } from './tool.js';

/** One turn of a conversation, free of any wire format. Text only: this server has no vision. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage;

/** May stand anywhere in a conversation; it stays where it is, because moving it would break prefix reuse. */
export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: string;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string;
  readonly thinking?: string;
  readonly toolCalls?: readonly ToolCall[];
}

export interface ToolResultMessage {
  readonly role: 'tool';
  readonly content: string;
  /** Joins the result to its call; some dialects send only the name. */
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly isError?: boolean;
}
