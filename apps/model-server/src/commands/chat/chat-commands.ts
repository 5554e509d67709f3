import type { ProgressResponse } from '@hearth/protocol-types/runner/progress-response';
import type { ShowResponse } from '@hearth/protocol-types/runner/show-response';
import { readParameter } from '../model-parameter.js';
import { splitWords, unquoted } from '../quoted-text.js';
import type { ServerClient } from '../server-client.js';
import { describeModel } from '../show-model.js';
import type { ChatSession } from './chat-session.js';

export const chatHelp = `Commands:
  /set system <text>               what the model is told before the conversation
  /set parameter <name> <value>    temperature, top_p, top_k, num_ctx, num_predict, seed, stop …
  /set format json | noformat      answers in JSON, or not
  /set think | nothink             let the model think first, or not (think low, medium or high: how hard)
  /set verbose | quiet             speed after each answer, or not
  /set history | nohistory         keep what is typed for the arrow keys, or not
  /show [info|system|parameters|template|license|modelfile]
  /load <model>                    go on with another model
  /save <model>                    keep this model with its settings and conversation under a name
  /clear                           forget the conversation
  /bye                             leave (also Ctrl-D)
  /?, /help                        this text

Use """ to begin a message of several lines, and """ to end it. Ctrl-C stops an answer.
`;

export interface ChatState {
  readonly session: ChatSession;
  readonly client: ServerClient;
  verbose: boolean;
  keepsHistory: boolean;
}

/** Carries out a command of the chat and says what to print; `bye` ends the chat. */
export async function runChatCommand(
  state: ChatState,
  name: string,
  argument: string,
): Promise<{ readonly text: string } | 'bye'> {
  switch (name) {
    case 'bye':
    case 'exit':
    case 'quit':
      return 'bye';
    case '?':
    case 'help':
      return { text: chatHelp };
    case 'clear':
      state.session.turns.length = 0;
      return { text: 'The conversation is forgotten.\n' };
    case 'set':
      return { text: set(state, argument) };
    case 'show':
      return { text: await show(state, argument) };
    case 'load':
      return { text: await load(state, argument) };
    case 'save':
      return { text: await save(state, argument) };
    default:
      return { text: `Unknown command /${name}. Type /? for help.\n` };
  }
}

function set(state: ChatState, argument: string): string {
  const { session } = state;
  const [, what = argument, rest = ''] = /^(\S+)\s+(.*)$/s.exec(argument) ?? [];
  const change = (settings: Partial<ChatSession['settings']>) => {
    session.settings = { ...session.settings, ...settings };
  };
  switch (what) {
    case 'system':
      change({ system: rest === '' ? undefined : unquoted(rest) });
      return rest === '' ? "Back to the model's own system message.\n" : 'Set the system message.\n';
    case 'parameter': {
      const [name = '', ...values] = splitWords(rest);
      if (name === '' || values.length === 0) return 'Usage: /set parameter <name> <value>\n';
      change({ options: { ...session.settings.options, [name]: readParameter(name, values) } });
      return `Set ${name} to ${values.join(' ')}.\n`;
    }
    case 'format':
      if (rest !== '' && rest !== 'json') return 'Usage: /set format json\n';
      change({ format: 'json' });
      return 'Answers will be JSON.\n';
    case 'noformat':
      change({ format: undefined });
      return 'Answers may have any form.\n';
    case 'think':
      change({ think: rest === '' ? true : rest });
      return 'The model may think first.\n';
    case 'nothink':
      change({ think: false });
      return 'The model answers without thinking.\n';
    case 'verbose':
      state.verbose = true;
      return 'Speed is shown after each answer.\n';
    case 'quiet':
      state.verbose = false;
      return 'Speed is no longer shown.\n';
    case 'history':
      state.keepsHistory = true;
      return 'Lines are kept for the arrow keys.\n';
    case 'nohistory':
      state.keepsHistory = false;
      return 'Lines are no longer kept.\n';
    default:
      return 'Usage: /set system|parameter|format|noformat|think|nothink|verbose|quiet|history|nohistory\n';
  }
}

async function show({ session, client }: ChatState, argument: string): Promise<string> {
  const info = await client.json<ShowResponse>('POST', '/api/show', { model: session.model });
  const own = Object.entries(session.settings.options).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name.padEnd(30)} ${JSON.stringify(one)}\n`),
  );
  switch (argument.trim()) {
    case '':
    case 'info':
      return describeModel(info);
    case 'system':
      return `${session.settings.system ?? info.system ?? 'No system message.'}\n`;
    case 'parameters':
      return `${info.parameters ? `${info.parameters}\n` : ''}${own.join('')}` || 'No parameters.\n';
    case 'template':
      return `${info.template ?? 'No template.'}\n`;
    case 'license':
      return `${info.license ?? 'No license.'}\n`;
    case 'modelfile':
      return `${info.modelfile ?? ''}\n`;
    default:
      return 'Usage: /show [info|system|parameters|template|license|modelfile]\n';
  }
}

async function load({ session, client }: ChatState, argument: string): Promise<string> {
  if (argument === '') return 'Usage: /load <model>\n';
  await client.json('POST', '/api/show', { model: argument });
  session.model = argument;
  session.turns.length = 0;
  return `Now talking to ${argument}.\n`;
}

async function save({ session, client }: ChatState, argument: string): Promise<string> {
  if (argument === '') return 'Usage: /save <model>\n';
  const { system, options } = session.settings;
  const { messages = [] } = await client.json<ShowResponse>('POST', '/api/show', { model: session.model });
  const body = {
    model: argument,
    from: session.model,
    ...(system === undefined ? {} : { system }),
    ...(Object.keys(options).length === 0 ? {} : { parameters: options }),
    // The conversation that the model began with stays in front of this one.
    ...(session.turns.length === 0 ? {} : { messages: [...messages, ...session.turns] }),
  };
  for await (const _line of client.lines<ProgressResponse>('/api/create', body));
  // What was said is now part of the model itself, and must not be said twice.
  if (isSameName(argument, session.model)) session.turns.length = 0;
  return `Saved as ${argument}.\n`;
}

function isSameName(one: string, other: string): boolean {
  const key = (name: string) => name.toLowerCase().replace(/:latest$/, '');
  return key(one) === key(other);
}
