/**
 * How a family of models writes its tool calls. The names are ours; the wire text of each is in the reader and in the
 * grammar that carry its name.
 */
export const toolCallDialects = [
  /** `<tool_call>{"name": …, "arguments": …}</tool_call>`: Hermes, Qwen, Granite 4 and most others. */
  'hermes',
  /** `<tool_call><function=name><parameter=key>value</parameter></function></tool_call>`: Qwen3-Coder. */
  'qwen-xml',
  /** `{"name": …, "parameters": …}` as the whole answer, or after `<|python_tag|>`: Llama 3. */
  'llama3-json',
  /** `[TOOL_CALLS][{"name": …, "arguments": …}]`: Mistral until 2024. */
  'mistral-array',
  /** `[TOOL_CALLS]name[ARGS]{…}`: Mistral since 2025. */
  'mistral-args',
  /** `<|tool_call|>[{"name": …, "arguments": …}]`: Granite 3, Phi 4. */
  'tagged-array',
  /** `<tool_call>name<arg_key>key</arg_key><arg_value>value</arg_value></tool_call>`: GLM 4. */
  'glm-xml',
  /** `<｜tool▁call▁begin｜>name<｜tool▁sep｜>{…}<｜tool▁call▁end｜>` between marks of its own: DeepSeek. */
  'deepseek',
  /** `<|START_ACTION|>[{"tool_name": …, "parameters": …}]<|END_ACTION|>`: Command R. */
  'command-r',
  /** Channels, with `to=functions.name` in the header: gpt-oss. */
  'harmony',
] as const;

export type ToolCallDialect = (typeof toolCallDialects)[number];
