/** The first or last moment of a day of the person's own calendar; nothing for no day. */
export function edgeOfDay(day: string, edge: 'first' | 'last'): string {
  if (day === '') return '';
  return new Date(`${day}T${edge === 'first' ? '00:00:00.000' : '23:59:59.999'}`).toISOString();
}

/** The day of a moment in the person's own calendar, as a date field writes it. */
export function dayOf(moment: string): string {
  const date = new Date(moment);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
