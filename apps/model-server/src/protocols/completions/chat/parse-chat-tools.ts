import type { ChatRequest } from '@hearth/protocol-types/completions/chat-request';
import type { ToolChoice as WireToolChoice } from '@hearth/protocol-types/completions/tool-choice';
import { reject } from '../refuse.js';
import { selectTools, type ToolSelection, toTool, type WantedTools } from '../select-tools.js';

type ToolBody = Pick<ChatRequest, 'tools' | 'tool_choice' | 'functions' | 'function_call'>;

/** `tools`, or the older `functions`; never both, because a reply has only one form. */
export function parseChatTools(body: ToolBody): ToolSelection {
  if (body.functions == null) {
    if (body.function_call != null) reject('function_call', 'needs functions; tools go with tool_choice');
    const tools = (body.tools ?? []).map((tool) => toTool(tool.function));
    return selectTools(tools, wantedTools(body.tool_choice), 'tool_choice');
  }
  if (body.tools != null) reject('functions', 'is the older form of tools; send only one of them');
  if (body.tool_choice != null) reject('tool_choice', 'needs tools; functions go with function_call');
  const choice = body.function_call;
  const wanted: WantedTools =
    choice == null
      ? { kind: 'auto' }
      : typeof choice === 'string'
        ? { kind: choice }
        : { kind: 'tool', name: choice.name };
  return selectTools(body.functions.map(toTool), wanted, 'function_call');
}

/** Whether the reply has the older form: one `function_call` instead of a list of `tool_calls`. */
export function usesLegacyFunctions(body: ToolBody): boolean {
  return body.functions != null;
}

function wantedTools(choice: WireToolChoice | null | undefined): WantedTools {
  if (choice == null) return { kind: 'auto' };
  if (typeof choice === 'string') return { kind: choice };
  if (choice.type === 'function') return { kind: 'tool', name: choice.function.name };
  const { mode, tools } = choice.allowed_tools;
  return { kind: 'allowed', mode, names: tools.map((tool) => tool.function.name) };
}
