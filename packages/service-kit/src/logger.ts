import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';
import { describeError } from './describe-error.js';

export type { Logger } from 'pino';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export const logFormats = ['auto', 'json', 'pretty'] as const;

export interface LoggerOptions {
  readonly name: string;
  readonly level: (typeof logLevels)[number];
  readonly format: (typeof logFormats)[number];
  /** Where lines go; standard output unless a test wants to read them. */
  readonly destination?: DestinationStream;
}

/**
 * A structured logger that cannot spill a prompt, a secret or a token: errors pass through an allow list, and
 * requests are never handed to it whole (see access-log.ts).
 */
export function createLogger(options: LoggerOptions): Logger {
  const wantsPretty =
    options.format === 'pretty' || (options.format === 'auto' && Boolean(process.stdout.isTTY));
  const destination = options.destination ?? (wantsPretty ? prettyStream() : pino.destination(1));
  return pino(
    {
      level: options.level,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      base: { service: options.name },
      serializers: { err: describeError, error: describeError, req: refuse, res: refuse, body: refuse },
    },
    destination,
  );
}

/** A whole request or response carries headers and bodies: whoever logs one by mistake gets this instead. */
function refuse(): string {
  return '[not logged]';
}

function prettyStream(): DestinationStream {
  return pretty({
    colorize: Boolean(process.stdout.isTTY),
    ignore: 'pid,hostname,service,name',
    translateTime: 'HH:MM:ss',
    messageFormat: '{service}: {msg}',
    sync: true,
  });
}
