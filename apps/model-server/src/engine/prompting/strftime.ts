const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function padded(value: number, width = 2): string {
  return String(value).padStart(width, '0');
}

function dayOfYear(date: Date): number {
  const newYear = new Date(date.getFullYear(), 0, 1);
  // Rounded, because a day of summer-time change is not 24 hours long.
  return (
    Math.round(
      (new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime() - newYear.getTime()) /
        86_400_000,
    ) + 1
  );
}

function utcOffset(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const sign = minutes < 0 ? '-' : '+';
  return `${sign}${padded(Math.floor(Math.abs(minutes) / 60))}${padded(Math.abs(minutes) % 60)}`;
}

/**
 * The directives of Python's strftime that chat templates use. Names are English whatever the locale of the machine,
 * because the models were trained on English dates; an unknown directive stays as it is.
 */
export function strftime(date: Date, format: string): string {
  const month = months[date.getMonth()] ?? '';
  const weekday = weekdays[date.getDay()] ?? '';
  const hour12 = date.getHours() % 12 || 12;
  const directives: Readonly<Record<string, string>> = {
    Y: String(date.getFullYear()),
    y: padded(date.getFullYear() % 100),
    m: padded(date.getMonth() + 1),
    B: month,
    b: month.slice(0, 3),
    d: padded(date.getDate()),
    e: String(date.getDate()).padStart(2, ' '),
    j: padded(dayOfYear(date), 3),
    A: weekday,
    a: weekday.slice(0, 3),
    w: String(date.getDay()),
    H: padded(date.getHours()),
    I: padded(hour12),
    p: date.getHours() < 12 ? 'AM' : 'PM',
    M: padded(date.getMinutes()),
    S: padded(date.getSeconds()),
    z: utcOffset(date),
    '%': '%',
  };
  const expanded = format
    .replaceAll('%F', '%Y-%m-%d')
    .replaceAll('%T', '%H:%M:%S')
    .replaceAll('%D', '%m/%d/%y')
    .replaceAll('%R', '%H:%M');
  // A dash drops the padding, as in the C library: "%-d".
  return expanded.replace(/%(-?)([A-Za-z%])/g, (whole, dash: string, letter: string) => {
    const value = directives[letter];
    if (value === undefined) return whole;
    return dash ? value.replace(/^[0 ]+(?=\d)/, '') : value;
  });
}
