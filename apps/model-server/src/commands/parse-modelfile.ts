import { outdatedOptions } from '@hearth/protocol-types/runner/outdated-options';
import { commandError } from './command-context.js';
import { readParameter } from './model-parameter.js';
import { unquoted } from './quoted-text.js';

export interface Modelfile {
  /** A model's name, or a path when the file says so. */
  readonly from: string;
  readonly template?: string;
  readonly system?: string;
  readonly licenses: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** What it says that means nothing here. */
  readonly ignored: readonly string[];
}

interface Instruction {
  readonly name: string;
  readonly argument: string;
  readonly line: number;
}

const refused: Readonly<Record<string, string>> = {
  ADAPTER: 'adapters (LoRA) are not supported',
  DRAFT: 'draft models are not supported',
  RENDERER: 'renderers are not supported: the chat template decides',
  PARSER: 'parsers are not supported: the output format is detected from the chat template',
};

/** Reads the runner family's recipe for a model: FROM, PARAMETER, TEMPLATE, SYSTEM, LICENSE, MESSAGE. */
export function parseModelfile(text: string): Modelfile {
  let from: string | undefined;
  let template: string | undefined;
  let system: string | undefined;
  const licenses: string[] = [];
  const parameters: Record<string, unknown> = {};
  const messages: { role: string; content: string }[] = [];
  const ignored: string[] = [];
  for (const instruction of readInstructions(text)) {
    const { name, argument } = instruction;
    switch (name) {
      case 'FROM':
        if (from !== undefined) throw problem(instruction, 'a second FROM: a model has one origin');
        from = unquoted(argument);
        break;
      case 'TEMPLATE':
        template = unquoted(argument);
        break;
      case 'SYSTEM':
        system = unquoted(argument);
        break;
      case 'LICENSE':
        licenses.push(unquoted(argument));
        break;
      case 'PARAMETER': {
        const [parameter = ''] = argument.split(/\s/);
        if (outdatedOptions.has(parameter)) ignored.push(`PARAMETER ${parameter}`);
        else addParameter(parameters, instruction);
        break;
      }
      case 'MESSAGE': {
        const [, role = '', content = ''] = /^(\S+)\s+(.*)$/s.exec(argument) ?? [];
        if (!['system', 'user', 'assistant'].includes(role)) {
          throw problem(instruction, 'MESSAGE needs a role (system, user or assistant) and a text');
        }
        messages.push({ role, content: unquoted(content) });
        break;
      }
      case 'REQUIRES':
        // The version of another program that the model needs; here it says nothing.
        ignored.push(name);
        break;
      default:
        throw problem(instruction, refused[name] ?? `unknown instruction ${name}`);
    }
  }
  if (!from) throw commandError('the Modelfile has no FROM line');
  return {
    from,
    ...(template === undefined ? {} : { template }),
    ...(system === undefined ? {} : { system }),
    licenses,
    parameters,
    messages,
    ignored,
  };
}

/** One instruction a line; a text in triple quotes goes on until they close. */
function readInstructions(text: string): readonly Instruction[] {
  const instructions: Instruction[] = [];
  const lines = text.replace(/\r\n/g, '\n').split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]?.trim() ?? '';
    if (line === '' || line.startsWith('#')) continue;
    const [, name = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(line) ?? [];
    const start = index + 1;
    let argument = rest;
    const opening = argument.indexOf('"""');
    if (opening >= 0 && argument.indexOf('"""', opening + 3) < 0) {
      // Only the first line is trimmed: inside the quotes every space counts.
      argument = (lines[index] ?? '').trimStart().slice(name.length).trimStart();
      do {
        index += 1;
        if (index >= lines.length) throw commandError(`Modelfile line ${start}: the """ is never closed`);
        argument += `\n${lines[index]}`;
      } while (!lines[index]?.includes('"""'));
    }
    instructions.push({ name: name.toUpperCase(), argument: argument.trim(), line: start });
  }
  return instructions;
}

function addParameter(parameters: Record<string, unknown>, instruction: Instruction): void {
  const [, name = '', raw = ''] = /^(\S+)\s+(.*)$/s.exec(instruction.argument) ?? [];
  if (name === '') throw problem(instruction, 'PARAMETER needs a name and a value');
  try {
    const value = readParameter(name, [unquoted(raw)]);
    parameters[name] = name === 'stop' ? [parameters[name] ?? [], value].flat() : value;
  } catch (error) {
    throw problem(instruction, error instanceof Error ? error.message : String(error));
  }
}

function problem({ line }: Instruction, message: string): Error {
  return commandError(`Modelfile line ${line}: ${message}`);
}
