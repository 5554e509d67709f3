import path from 'node:path';
import type { ProgressResponse } from '@hearth/protocol-types/runner/progress-response';
import { defaultDataFolder } from '@hearth/service-kit/data-folder';
import { AnswerWriter, describeSpeed } from './chat/answer-writer.js';
import { ChatHistory } from './chat/chat-history.js';
import { ChatSession } from './chat/chat-session.js';
import { interactiveChat } from './chat/interactive-chat.js';
import { type CommandContext, commandError } from './command-context.js';
import { readText } from './read-text.js';
import { ServerReplyError } from './server-client.js';
import { showProgress } from './show-progress.js';

export interface RunOptions {
  readonly system?: string;
  readonly format?: string;
  readonly think?: boolean | string;
  readonly hideThinking?: boolean;
  readonly keepAlive?: string;
  readonly verbose?: boolean;
  readonly insecure?: boolean;
}

const thinkLevels = new Set(['low', 'medium', 'high', 'max']);

/** Talks to a model: one question from the arguments or from a pipe, or a chat at the terminal. */
export async function runModel(
  context: CommandContext,
  model: string,
  words: readonly string[],
  options: RunOptions,
): Promise<void> {
  const format = readFormat(options.format);
  const { think, word } = readThink(options.think);
  await fetchIfMissing(context, model, options.insecure === true);
  const { system, keepAlive } = options;
  const session = new ChatSession(context.client, model, { system, format, think, keepAlive, options: {} });
  const hideThinking = options.hideThinking === true;
  const verbose = options.verbose === true;
  const piped = context.stdin.isTTY === true ? '' : await readText(context.stdin);
  const question = [[...word, ...words].join(' '), piped.trim()].filter((text) => text !== '').join('\n\n');
  if (question !== '') {
    await askOnce(context, session, question, { hideThinking, verbose });
    return;
  }
  if (context.stdin.isTTY !== true) return;
  const { env } = context;
  const folder = env['HEARTH_DATA'] || defaultDataFolder(env);
  const history = new ChatHistory(env['HEARTH_NO_HISTORY'] ? undefined : path.join(folder, 'chat-history'));
  await interactiveChat(context, session, { hideThinking, verbose, history });
}

async function askOnce(
  { stdout, stderr }: CommandContext,
  session: ChatSession,
  question: string,
  options: { readonly hideThinking: boolean; readonly verbose: boolean },
): Promise<void> {
  const writer = new AnswerWriter(stdout, options);
  for await (const part of session.ask(question, new AbortController().signal)) {
    writer.write(part);
    if (part.kind !== 'done') continue;
    stdout.write('\n');
    if (options.verbose) stderr.write(`\n${describeSpeed(part.reply)}\n`);
  }
}

/** `json`, or a schema as JSON. */
function readFormat(text: string | undefined): string | object | undefined {
  if (text === undefined || !text.trimStart().startsWith('{')) return text;
  try {
    return JSON.parse(text) as object;
  } catch {
    throw commandError('--format is "json" or a JSON schema, and this is not JSON');
  }
}

/** `--think` may be followed by how hard, or by the first word of the question. */
function readThink(given: boolean | string | undefined): {
  think: boolean | string | undefined;
  word: readonly string[];
} {
  if (typeof given !== 'string' || thinkLevels.has(given)) return { think: given, word: [] };
  if (given === 'true' || given === 'false') return { think: given === 'true', word: [] };
  return { think: true, word: [given] };
}

/** A model that is not here yet is pulled, as this family's users expect of `run`. */
async function fetchIfMissing(context: CommandContext, model: string, insecure: boolean): Promise<void> {
  try {
    await context.client.json('POST', '/api/show', { model });
  } catch (error) {
    if (!(error instanceof ServerReplyError) || error.status !== 404) throw error;
    await showProgress(context, context.client.lines<ProgressResponse>('/api/pull', { model, insecure }));
  }
}
