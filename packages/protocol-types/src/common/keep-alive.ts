import type { z } from 'zod';
import { either, number, text } from './fields.js';

const what = 'a number of seconds or a duration such as "5m", "1h30m" or "300ms"';

// Go's time.ParseDuration: every number but a bare 0 has a unit.
const goDuration = /^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/;

export const keepAliveSchema = either(what, [number, text.regex(goDuration, `must be ${what}`)]).describe(
  'How long the model stays loaded after this request: seconds, or a duration with a unit. 0 unloads it at once, a negative value keeps it loaded.',
);

export type KeepAlive = z.infer<typeof keepAliveSchema>;
