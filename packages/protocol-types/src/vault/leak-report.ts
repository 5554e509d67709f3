import { z } from 'zod';

// Whatever cannot be read is passed over: a reporter is never told what became of an entry, so that nobody can use
// the answer to find out which tokens are real.
const field = (description: string) => z.string().default('').catch('').meta({ description });
const nothing = { token: '', type: '', url: '', source: '' };

const leakedToken = z
  .object({
    token: z.string().catch('').meta({ description: 'The token that was found' }),
    type: field('What the reporter takes it for; any text'),
    url: field('Where it was found'),
    source: field('In what it was found: content, commit, …'),
  })
  .meta({ id: 'LeakedToken' });

/** Tokens that somebody found in public, in the form in which GitHub's secret scanning reports them. */
export const leakReportSchema = z.array(leakedToken.catch(nothing)).catch([]).meta({ id: 'LeakReport' });

export const leakAnswerSchema = z
  .strictObject({ accepted: z.literal(true) })
  .meta({ id: 'LeakAnswer', description: 'The same whatever was reported' });
