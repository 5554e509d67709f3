import type { GenerationRequest } from '../../generation/generation-request.js';
import type { Tool } from '../../generation/tool.js';
import { reject } from './refuse.js';

/** A function as this family describes it, in chat completions and in responses alike. */
export interface FunctionDefinition {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | null | undefined;
  readonly strict?: boolean | null | undefined;
}

/** The choice among them, free of the two wire forms it has. */
export type WantedTools =
  | { readonly kind: 'auto' | 'none' | 'required' }
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'allowed'; readonly mode: 'auto' | 'required'; readonly names: readonly string[] };

export type ToolSelection = Pick<GenerationRequest, 'tools' | 'toolChoice'>;

/** `param` is how the caller spelled the choice. */
export function selectTools(tools: readonly Tool[], wanted: WantedTools, param: string): ToolSelection {
  const mustExist = (name: string) => {
    if (!tools.some((tool) => tool.name === name)) {
      reject(param, `names the function '${name}', which is not among the tools`);
    }
  };
  switch (wanted.kind) {
    case 'tool':
      mustExist(wanted.name);
      return { tools, toolChoice: wanted };
    case 'allowed': {
      wanted.names.forEach(mustExist);
      const allowed = tools.filter((tool) => wanted.names.includes(tool.name));
      return selectTools(allowed, { kind: wanted.mode }, param);
    }
    case 'required':
      if (tools.length === 0) reject(param, 'asks for a call, but there are no tools to call');
      return { tools, toolChoice: { kind: 'required' } };
    default:
      return { tools, toolChoice: { kind: wanted.kind } };
  }
}

export function toTool({ name, description, parameters, strict }: FunctionDefinition): Tool {
  return {
    name,
    parameters: parameters ?? { type: 'object', properties: {} },
    ...(description == null ? {} : { description }),
    ...(strict == null ? {} : { strict }),
  };
}
