import type { ShowResponse } from '@hearth/protocol-types/runner/show-response';
import { type CommandContext, commandError, printJson } from './command-context.js';

export interface ShowOptions {
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly modelfile?: boolean;
  readonly license?: boolean;
  readonly parameters?: boolean;
  readonly system?: boolean;
  readonly template?: boolean;
}

/** A vocabulary has a hundred thousand words; a line shows the first. */
const maxValueLength = 80;

const parts = ['modelfile', 'license', 'parameters', 'system', 'template'] as const;

export async function showModel(context: CommandContext, name: string, options: ShowOptions): Promise<void> {
  const asked = parts.filter((part) => options[part] === true);
  if (asked.length > 1)
    throw commandError(`only one of ${parts.map((part) => `--${part}`).join(', ')} at a time`);
  const info = await context.client.json<ShowResponse>('POST', '/api/show', {
    model: name,
    verbose: options.verbose === true,
  });
  if (options.json === true) printJson(context, info);
  else if (asked[0]) context.stdout.write(`${(info[asked[0]] ?? '').trimEnd()}\n`);
  else context.stdout.write(describeModel(info) + (options.verbose === true ? describeFile(info) : ''));
}

/** The page that a person wants to see of a model. */
export function describeModel(info: ShowResponse): string {
  const { details } = info;
  const architecture = info.model_info['general.architecture'];
  return describe([
    [
      'Model',
      [
        ['architecture', String(architecture ?? details.family)],
        ['parameters', details.parameter_size],
        [
          'context length',
          String(details.context_length ?? info.model_info[`${architecture}.context_length`] ?? ''),
        ],
        [
          'embedding length',
          String(details.embedding_length ?? info.model_info[`${architecture}.embedding_length`] ?? ''),
        ],
        ['quantization', details.quantization_level],
      ],
    ],
    ['Capabilities', (info.capabilities ?? []).map((one) => [one, ''] as const)],
    ['Parameters', lines(info.parameters).map((line) => splitOnce(line))],
    ['System', lines(info.system).map((line) => [line, ''] as const)],
    [
      'License',
      lines(info.license)
        .slice(0, 2)
        .map((line) => [line, ''] as const),
    ],
  ]);
}

/** What stands in the model's file. */
function describeFile({ model_info: header, tensors = [] }: ShowResponse): string {
  return `\n${describe([
    [
      'Metadata',
      Object.entries(header).map(([name, value]) => [name, shortened(JSON.stringify(value))] as const),
    ],
    ['Tensors', tensors.map(({ name, type, shape }) => [name, `${type}  ${JSON.stringify(shape)}`] as const)],
  ])}`;
}

function shortened(text: string): string {
  return text.length <= maxValueLength ? text : `${text.slice(0, maxValueLength)}…`;
}

type Section = readonly [title: string, rows: readonly (readonly [name: string, value: string])[]];

function describe(sections: readonly Section[]): string {
  return sections
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => {
      const width = Math.max(16, ...rows.map(([name, value]) => (value === '' ? 0 : name.length))) + 4;
      const body = rows.map(([name, value]) => `    ${name.padEnd(width)}${value}`.trimEnd());
      return `  ${title}\n${body.join('\n')}\n`;
    })
    .join('\n');
}

function lines(text: string | undefined): readonly string[] {
  return (text ?? '').split('\n').filter((line) => line.trim() !== '');
}

function splitOnce(line: string): readonly [string, string] {
  const [, name = line, value = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
  return [name, value];
}
