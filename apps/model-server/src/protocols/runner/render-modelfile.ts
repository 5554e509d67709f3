import type { ModelEntry } from '../../models/model-entry.js';

/** The recipe that makes this model again. It starts from the model's name: paths of this machine are nobody's affair. */
export function renderModelfile(entry: ModelEntry, template: string): string {
  const parameters = parameterLines(entry.parameters, (name, value) => `PARAMETER ${name} ${value}`);
  return [
    `FROM ${entry.name}`,
    ...(template === '' ? [] : [`TEMPLATE ${quoted(template)}`]),
    ...parameters,
    ...(entry.system ? [`SYSTEM ${quoted(entry.system)}`] : []),
    ...entry.messages.map(({ role, content }) => `MESSAGE ${role} ${quoted(content)}`),
    ...entry.licenses.map((license) => `LICENSE ${quoted(license)}`),
    '',
  ].join('\n');
}

function quoted(text: string): string {
  return text.includes('"""') ? JSON.stringify(text) : `"""${text}"""`;
}

/** One line for each value: a list such as `stop` has several. Texts are quoted, numbers are not. */
export function parameterLines(
  parameters: ModelEntry['parameters'],
  line: (name: string, value: string) => string,
): readonly string[] {
  return Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((single) => line(name, JSON.stringify(single))),
  );
}
