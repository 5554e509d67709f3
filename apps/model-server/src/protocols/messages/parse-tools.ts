import type { Tool as WireTool } from '@hearth/protocol-types/messages/tool';
import type { ToolChoice as WireToolChoice } from '@hearth/protocol-types/messages/tool-choice';
import { GenerationError } from '../../generation/generation-error.js';
import type { GenerationRequest } from '../../generation/generation-request.js';
import type { Tool, ToolChoice } from '../../generation/tool.js';

type ToolFields = Pick<GenerationRequest, 'tools' | 'toolChoice' | 'parallelToolCalls'>;

export function parseTools(
  tools: readonly WireTool[] | null | undefined,
  choice: WireToolChoice | null | undefined,
): ToolFields {
  const parsed = (tools ?? []).map(parseTool);
  for (const [index, { name }] of parsed.entries()) {
    if (parsed.findIndex((tool) => tool.name === name) !== index) {
      throw invalid(`tools.${index}.name`, `must be unique, and "${name}" is not`);
    }
  }
  return {
    tools: parsed,
    toolChoice: parseChoice(choice, parsed),
    parallelToolCalls: !(choice && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use),
  };
}

function parseTool(tool: WireTool, index: number): Tool {
  if (!('input_schema' in tool)) {
    throw new GenerationError(
      'unsupported',
      `tools.${index}.type: ${tool.type} is a tool of the hosted service; this server knows tools with an input_schema only`,
      { param: `tools.${index}.type` },
    );
  }
  return {
    name: tool.name,
    ...(tool.description ? { description: tool.description } : {}),
    parameters: tool.input_schema,
    ...(tool.strict == null ? {} : { strict: tool.strict }),
  };
}

function parseChoice(choice: WireToolChoice | null | undefined, tools: readonly Tool[]): ToolChoice {
  switch (choice?.type) {
    case undefined:
    case 'auto':
      return { kind: 'auto' };
    case 'none':
      return { kind: 'none' };
    case 'any':
      if (tools.length === 0) throw invalid('tool_choice', 'asks for a tool, and tools is empty');
      return { kind: 'required' };
    case 'tool':
      if (!tools.some(({ name }) => name === choice.name)) {
        throw invalid(
          'tool_choice.name',
          `must be the name of one of the tools, and "${choice.name}" is not`,
        );
      }
      return { kind: 'tool', name: choice.name };
    default:
      choice satisfies never;
      return { kind: 'auto' };
  }
}

function invalid(param: string, problem: string): GenerationError {
  return new GenerationError('invalid-request', `${param} ${problem}`, { param });
}
