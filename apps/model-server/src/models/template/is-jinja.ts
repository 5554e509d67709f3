/** Registries carry Go templates (`{{ .Prompt }}`); the engine reads Jinja (`{% for message in messages %}`). */
export function isJinja(template: string): boolean {
  return /\{%|\{\{-?\s*(?:messages|bos_token|raise_exception)\b/.test(template);
}
