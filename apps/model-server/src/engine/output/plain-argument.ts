import type { JsonSchema, Tool } from '../../generation/tool.js';

function isStringParameter(tool: Tool | undefined, key: string): boolean {
  const schema: JsonSchema | undefined = tool?.parameters;
  if (typeof schema !== 'object') return false;
  const properties = schema['properties'];
  if (typeof properties !== 'object' || properties === null) return false;
  const property: unknown = Object.entries(properties).find(([name]) => name === key)?.[1];
  return (
    typeof property === 'object' && property !== null && 'type' in property && property.type === 'string'
  );
}

/**
 * The JSON of an argument that stands as plain text between tags: the tool's schema says which are strings, the rest is
 * JSON if it can be.
 */
export function plainArgumentAsJson(text: string, tool: Tool | undefined, key: string): string {
  if (isStringParameter(tool, key)) return JSON.stringify(text);
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return JSON.stringify(text);
  }
}
