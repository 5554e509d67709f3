import type { AssistantMessage, Message, ToolResultMessage } from '../../generation/message.js';
import type { Tool } from '../../generation/tool.js';
import { templateTools } from './template-messages.js';

/** Hermes wire text: the format most models have seen, for those whose template knows no tools. */
function describeTools(tools: readonly Tool[]): string {
  const signatures = templateTools(tools).map((tool) => JSON.stringify(tool));
  return [
    '# Tools',
    '',
    'You may call one or more functions to assist with the user query.',
    '',
    'You are provided with function signatures within <tools></tools> XML tags:',
    '<tools>',
    ...signatures,
    '</tools>',
    '',
    'For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:',
    '<tool_call>',
    '{"name": <function-name>, "arguments": <args-json-object>}',
    '</tool_call>',
  ].join('\n');
}

/** Puts the tools into the first system message, or into a new one, for templates that do not know tools. */
export function withToolsDescribed(messages: readonly Message[], tools: readonly Tool[]): readonly Message[] {
  if (tools.length === 0) return messages;
  const description = describeTools(tools);
  const [first, ...rest] = messages;
  if (first?.role === 'system') {
    return [{ role: 'system', content: `${first.content}\n\n${description}` }, ...rest];
  }
  return [{ role: 'system', content: description }, ...messages];
}

function callsAsText(message: AssistantMessage): AssistantMessage {
  const calls = (message.toolCalls ?? []).map(
    ({ name, argumentsText }) =>
      `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${argumentsText || '{}'}}\n</tool_call>`,
  );
  const { toolCalls: _dropped, ...kept } = message;
  return { ...kept, content: [message.content, ...calls].filter((part) => part !== '').join('\n') };
}

function resultAsText(message: ToolResultMessage): string {
  return `<tool_response>\n${message.content}\n</tool_response>`;
}

/** Past calls and their results as plain turns, for templates that cannot show them. */
export function withToolTurnsAsText(messages: readonly Message[]): readonly Message[] {
  return messages.map((message): Message => {
    if (message.role === 'tool') return { role: 'user', content: resultAsText(message) };
    if (message.role === 'assistant' && message.toolCalls?.length) return callsAsText(message);
    return message;
  });
}
