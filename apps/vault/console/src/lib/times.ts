const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'long' });

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

export function relativeTime(at: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  for (const [unit, size] of steps) {
    // Weeks before an end, days matter: “in 2 months” would hide up to thirty of them.
    if (unit === 'month' && Math.abs(seconds) < 100 * 86_400) continue;
    // Days to come are rounded: 90 of them, counted a second ago, are not 89.
    const round = unit === 'day' && seconds > 0 ? Math.round : Math.trunc;
    if (Math.abs(seconds) >= size) return relative.format(round(seconds / size), unit);
  }
  // The clocks of a browser and of the vault are never quite the same.
  return seconds < 10 ? 'just now' : 'in a moment';
}

export const exactTime = (at: string): string => exact.format(new Date(at));
export const dayText = (at: Date): string => day.format(at);

export function daysUntil(at: string, now = Date.now()): number {
  return Math.floor((Date.parse(at) - now) / 86_400_000);
}

export function inDays(days: number, now = Date.now()): Date {
  return new Date(now + days * 86_400_000);
}
