import { type SecretEntry, UnwritableValuesError } from './secret-entry.js';

// Docker reads an env file with a buffer of 64 KiB for each line.
const longestLine = 64 * 1024 - 1;

/** For `docker run --env-file`: no quotes (Docker would pass them on) and therefore no value of several lines. */
export function writeDocker(entries: readonly SecretEntry[]): string {
  const unwritable = entries.filter(
    ({ key, value }) => /[\r\n]/.test(value) || Buffer.byteLength(`${key}=${value}\n`) > longestLine,
  );
  if (unwritable.length > 0) {
    throw new UnwritableValuesError(
      'docker',
      unwritable.map(({ key }) => key),
    );
  }
  return entries.map(({ key, value }) => `${key}=${value}\n`).join('');
}
