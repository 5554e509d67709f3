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
  else context.stdout.write(describeModel(info));
}

/** The page that a person wants to see of a model. */
export function describeModel(info: ShowResponse): string {
  const { details } = info;
  const architecture = info.model_info['general.architecture'];
  const sections: [string, readonly (readonly [string, string])[]][] = [
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
  ];
  return sections
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => {
      const body = rows.map(([name, value]) => `    ${name.padEnd(20)}${value}`.trimEnd());
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
