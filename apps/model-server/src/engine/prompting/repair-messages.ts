import type { AssistantMessage, Message, ToolResultMessage } from '../../generation/message.js';
import { withToolTurnsAsText } from './tools-as-text.js';

/*
 * Many templates refuse what every API allows: two turns of one role in a row, a system message after the first turn or
 * at all, two calls in one turn. Each repair here changes a conversation as little as it can so that such a template
 * takes it. They run only for a template that needs them, because a moved message breaks prefix reuse.
 */
export type Repair = (messages: readonly Message[]) => readonly Message[];

function joined(first: string, second: string): string {
  return [first, second].filter((text) => text !== '').join('\n\n');
}

function mergedPair(first: Message, second: Message): Message | undefined {
  if (first.role !== second.role || first.role === 'tool') return undefined;
  const content = joined(first.content, second.content);
  if (first.role !== 'assistant' || second.role !== 'assistant') return { role: first.role, content };
  // A turn that called a tool stays whole: its results follow it.
  if (first.toolCalls?.length) return undefined;
  const thinking = joined(first.thinking ?? '', second.thinking ?? '');
  return { ...second, content, ...(thinking ? { thinking } : {}) };
}

export const mergeNeighbours: Repair = (messages) => {
  const result: Message[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    const merged = last && mergedPair(last, message);
    if (merged) result[result.length - 1] = merged;
    else result.push(message);
  }
  return result;
};

function foldSystem(messages: readonly Message[], keepFirst: boolean): readonly Message[] {
  const result: Message[] = [];
  let waiting = '';
  messages.forEach((message, index) => {
    if (message.role === 'system' && !(keepFirst && index === 0)) {
      waiting = joined(waiting, message.content);
      return;
    }
    if (waiting !== '' && message.role === 'user') {
      result.push({ role: 'user', content: joined(waiting, message.content) });
      waiting = '';
      return;
    }
    if (waiting !== '' && message.role === 'assistant') {
      result.push({ role: 'user', content: waiting });
      waiting = '';
    }
    result.push(message);
  });
  if (waiting !== '') result.push({ role: 'user', content: waiting });
  return mergeNeighbours(result);
}

/** System messages after the first go into the user turn that follows them. */
export const foldLaterSystem: Repair = (messages) => foldSystem(mergeNeighbours(messages), true);

/** Every system message goes into a user turn, for templates that know no system role. */
export const foldAllSystem: Repair = (messages) => foldSystem(messages, false);

function splitTurn(turn: AssistantMessage, results: readonly ToolResultMessage[]): Message[] {
  const left = [...results];
  const split: Message[] = [];
  (turn.toolCalls ?? []).forEach((call, index) => {
    split.push({ ...turn, content: index === 0 ? turn.content : '', toolCalls: [call] });
    const found = left.findIndex(({ toolCallId }) => toolCallId === call.id);
    const result = left.splice(Math.max(found, 0), 1)[0];
    if (result) split.push(result);
  });
  return [...split, ...left];
}

/** Several calls of one turn as several turns with one call each, every call next to its result. */
export const oneCallPerTurn: Repair = (messages) => {
  const result: Message[] = [];
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index];
    if (!message) continue;
    if (message.role !== 'assistant' || (message.toolCalls?.length ?? 0) < 2) {
      result.push(message);
      continue;
    }
    const results: ToolResultMessage[] = [];
    for (let next = messages[index + 1]; next?.role === 'tool'; next = messages[index + 1]) {
      results.push(next);
      index += 1;
    }
    result.push(...splitTurn(message, results));
  }
  return result;
};

export const toolTurnsAsText: Repair = (messages) => mergeNeighbours(withToolTurnsAsText(messages));

/** From the lightest to the heaviest; a refused conversation gets one after the other until the template takes it. */
export const repairsInOrder: readonly Repair[] = [
  mergeNeighbours,
  foldLaterSystem,
  oneCallPerTurn,
  foldAllSystem,
  toolTurnsAsText,
];
