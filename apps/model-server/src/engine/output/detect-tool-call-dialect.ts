import type { ToolCallDialect } from './tool-call-dialect.js';

/**
 * The dialect a chat template teaches its model. `undefined` means that the template knows no tools; such a model is
 * told about them in Hermes text, and answers in it.
 */
export function detectToolCallDialect(template: string): ToolCallDialect | undefined {
  const has = (text: string) => template.includes(text);
  if (has('<|channel|>') && has('<|message|>')) return 'harmony';
  if (has('<tool_call>') && has('<function=') && has('<parameter=')) return 'qwen-xml';
  if (has('<tool_call>') && has('<arg_key>')) return 'glm-xml';
  if (has('<｜tool▁calls▁begin｜>')) return 'deepseek';
  if (has('<|START_ACTION|>')) return 'command-r';
  if (has('[TOOL_CALLS]')) return has('[ARGS]') ? 'mistral-args' : 'mistral-array';
  if (has('<tool_call>')) return 'hermes';
  if (has('<|tool_call|>')) return 'tagged-array';
  const llama3 = has('<|start_header_id|>') || has('<|python_tag|>');
  if (llama3 && has('parameters')) return 'llama3-json';
  return undefined;
}
