import { z } from 'zod';

const clientSchema = z.strictObject({ clientId: z.string(), clientSecret: z.string() });

/** What the vault tells the process of its stand-ins; it comes over the channel between them, not the command line. */
export const standInSettingsSchema = z.strictObject({
  host: z.string(),
  port: z.int(),
  /** Where people are sent back to; its host is also the one under which browsers reach the stand-ins. */
  publicUrl: z.url(),
  github: clientSchema,
  google: clientSchema,
});

export type StandInSettings = z.infer<typeof standInSettingsSchema>;

/** The process's answer, once: where it listens, or why it does not. */
export const standInReplySchema = z.union([
  z.strictObject({ url: z.string() }),
  z.strictObject({ problem: z.string() }),
]);

export type StandInReply = z.infer<typeof standInReplySchema>;
