import type { Message } from '../../generation/message.js';

// Coding agents put a checksum of the request into the first line of the system prompt. It changes with every request,
// tells the model nothing, and sits in front of everything else, so that no prefix would ever be reused.
const billingHeader = /^x-anthropic-billing-header:[^\n]*/gm;
const checksum = /\bcch=[^;\s]*/g;

function blank(text: string): string {
  if (!text.includes('x-anthropic-billing-header:')) return text;
  return text.replace(billingHeader, (line) => line.replace(checksum, 'cch='));
}

/** The same messages without the parts that change on every request for no reason, so that prefix reuse works. */
export function blankVolatileParts(messages: readonly Message[]): readonly Message[] {
  let changed = false;
  const blanked = messages.map((message) => {
    if (message.role !== 'system') return message;
    const content = blank(message.content);
    if (content === message.content) return message;
    changed = true;
    return { ...message, content };
  });
  return changed ? blanked : messages;
}
