import type { Message } from '../../generation/message.js';

/**
 * Groups that live or die together: a call without its result, or a result without its call, is a conversation that no
 * template and no model understands.
 */
function groups(messages: readonly Message[]): Message[][] {
  const result: Message[][] = [];
  for (const message of messages) {
    const last = result.at(-1);
    const called = last?.[0]?.role === 'assistant' && (last[0].toolCalls?.length ?? 0) > 0;
    if (message.role === 'tool' && last && called) last.push(message);
    else result.push([message]);
  }
  return result;
}

/**
 * Drops the oldest messages until the rest fits, and returns it; `undefined` when not even the system messages and the
 * last turn fit. System messages and the last turn (with the call that a last tool result answers) always stay. Whether
 * a list fits is monotonous in its length, so the count is found by halving: counting tokens means rendering the
 * whole prompt each time.
 */
export async function dropOldestMessages(
  messages: readonly Message[],
  fits: (messages: readonly Message[]) => boolean | Promise<boolean>,
): Promise<readonly Message[] | undefined> {
  if (await fits(messages)) return messages;
  const all = groups(messages);
  const lastGroup = all.at(-1);
  const droppable = all.filter((group) => group !== lastGroup && group[0]?.role !== 'system');
  const without = (count: number): Message[] => {
    const dropped = new Set(droppable.slice(0, count));
    return all.filter((group) => !dropped.has(group)).flat();
  };
  let tooFew = 0;
  let enough = droppable.length;
  if (enough === 0 || !(await fits(without(enough)))) return undefined;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (await fits(without(middle))) enough = middle;
    else tooFew = middle;
  }
  return without(enough);
}
