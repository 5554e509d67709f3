/**
 * The arguments of a call as an object, for dialects that cannot carry JSON text. A call that the token limit cut
 * off has no whole object; its reply says so by its finish reason, and the arguments are empty.
 */
export function parseToolArguments(argumentsText: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(argumentsText);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Not JSON: the same as no object.
  }
  return {};
}
