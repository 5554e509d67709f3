import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { describeError } from './describe-error.js';
import { isTerminal, writeToStandardOutput } from './standard-output.js';

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
  const onTerminal = isTerminal();
  const wantsPretty = options.format === 'pretty' || (options.format === 'auto' && onTerminal);
  const lines = wantsPretty ? prettyLines(onTerminal) : { write: writeToStandardOutput };
  return pino(
    {
      level: options.level,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      base: { service: options.name },
      serializers: { err: describeError, error: describeError, req: refuse, res: refuse, body: refuse },
    },
    options.destination ?? lines,
  );
}

/** A whole request or response carries headers and bodies: whoever logs one by mistake gets this instead. */
function refuse(): string {
  return '[not logged]';
}

function prettyLines(colorize: boolean): DestinationStream {
  const prettify = prettyFactory({
    colorize,
    ignore: 'pid,hostname,service,name',
    translateTime: 'HH:MM:ss',
    messageFormat: '{service}: {msg}',
  });
  return { write: (line) => writeToStandardOutput(prettify(line)) };
}
