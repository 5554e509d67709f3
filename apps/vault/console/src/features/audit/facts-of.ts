import { exactTime } from '../../lib/times.js';

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** What an event says beside its name: names, counts, moments and version numbers; the vault keeps values out of here. */
export function factsOf(meta: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(meta).flatMap(([name, value]) => {
    const words = wordsOf(value);
    return words === '' ? [] : [`${name.replaceAll('_', ' ')} ${words}`];
  });
}

/** Nothing for what goes without saying: no number, the top folder, an empty list. */
function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).filter(Boolean).join(', ');
  if (typeof value === 'string') return value === '/' ? '' : moment.test(value) ? exactTime(value) : value;
  if (typeof value === 'number') return value === 0 ? '' : String(value);
  return typeof value === 'boolean' ? String(value) : '';
}
