/** Rows under a heading, columns as wide as they must be. */
export function formatTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('    ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

const steps: readonly (readonly [seconds: number, name: string])[] = [
  [365 * 86_400, 'year'],
  [30 * 86_400, 'month'],
  [7 * 86_400, 'week'],
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** "3 days ago", "4 minutes from now": how people think of times. */
export function formatRelativeTime(time: Date, now: Date): string {
  const seconds = Math.round((time.getTime() - now.getTime()) / 1000);
  const size = Math.abs(seconds);
  // The family writes "forever" as a date centuries away.
  if (seconds > 50 * 365 * 86_400) return 'forever';
  const [unit, name] = steps.find(([length]) => size >= length) ?? [1, 'second'];
  const count = Math.floor(size / unit);
  if (count === 0) return 'now';
  const amount = `${count} ${name}${count === 1 ? '' : 's'}`;
  return seconds > 0 ? `${amount} from now` : `${amount} ago`;
}

/** Seconds as a download bar shows them: `7s`, `3m12s`, `1h05m`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole}s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m${String(whole % 60).padStart(2, '0')}s`;
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}m`;
}
