import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';

export interface GrammarQuestion {
  readonly gbnf: string;
  readonly texts: readonly string[];
}

export type GrammarAnswer = { readonly accepted: readonly boolean[] } | { readonly error: string };

/** What llama.cpp itself says about grammars and texts, from a process of its own. */
export async function askLlama(questions: readonly GrammarQuestion[]): Promise<readonly GrammarAnswer[]> {
  const program = spawn(process.execPath, [path.join(import.meta.dirname, 'check-grammars.mjs')], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => program.once('close', resolve));
  program.stdin.end(JSON.stringify(questions));
  const [output, complaints] = await Promise.all([text(program.stdout), text(program.stderr), ended]);
  try {
    return JSON.parse(output);
  } catch {
    throw new Error(`the grammar check failed: ${complaints}`);
  }
}
