import type { PromptPart } from '../../../generation/generation-request.js';
import type { ControlSpellings, Span } from './control-spellings.js';
import { StandIns } from './stand-ins.js';

/** Tells a marked text's own control tokens from those that marked characters spell; the text around these is plain. */
export function cutParts(
  marked: string,
  standIns: StandIns,
  spellings: ControlSpellings,
): readonly PromptPart[] {
  const text = standIns.unmark(marked);
  const isForged = ({ start, end }: Span) => marked.slice(start, end) !== text.slice(start, end);
  const forged = text === marked ? [] : spellings.find(text).filter(isForged);
  if (forged.length === 0) return [{ kind: 'markup', text }];

  const parts: PromptPart[] = [];
  let markupStart = 0;
  let from = 0;
  // What the template wrote bounds the plain parts, so that these are tokenized whole, like any other text.
  for (const { start, end } of [...spellings.find(marked), { start: text.length, end: text.length }]) {
    if (forged.some((span) => span.start < start && span.end > from)) {
      if (from > markupStart) parts.push({ kind: 'markup', text: text.slice(markupStart, from) });
      parts.push({ kind: 'plain', text: text.slice(from, start) });
      markupStart = start;
    }
    from = end;
  }
  if (markupStart < text.length) parts.push({ kind: 'markup', text: text.slice(markupStart) });
  return parts;
}

/** Parts by other means than a chat template. Neighbours stay together unless a plain one spells a control token. */
export function guardParts(parts: readonly PromptPart[], spellings: ControlSpellings): readonly PromptPart[] {
  const standIns = new StandIns(spellings.edges, parts.map(({ text }) => text).join(''));
  const marked = parts.map(({ kind, text }) => (kind === 'plain' ? standIns.mark(text) : text)).join('');
  return cutParts(marked, standIns, spellings);
}
