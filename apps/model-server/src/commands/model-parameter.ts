import { findProblems } from '@hearth/protocol-types/common/find-problems';
import { optionsSchema } from '@hearth/protocol-types/runner/options';
import { commandError } from './command-context.js';

/** The value of a parameter as it was typed. Refused here, and not with each answer, when it cannot be right. */
export function readParameter(name: string, words: readonly string[]): unknown {
  if (!Object.hasOwn(optionsSchema.shape, name)) throw commandError(`unknown parameter '${name}'`);
  const value = name === 'stop' ? words : typedValue(words.join(' '));
  const { error } = optionsSchema.safeParse({ [name]: value });
  if (error) throw commandError(`parameter ${name} ${findProblems(error)[0]?.message ?? 'is wrong'}`);
  return value;
}

function typedValue(text: string): unknown {
  if (/^-?\d*\.?\d+(e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text;
}
