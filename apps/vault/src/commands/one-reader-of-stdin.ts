import { StartupError } from '@hearth/service-kit/startup-error';

/**
 * Refuses a command whose sources are standard input (`-`) more than once: the first to read would take all of it, and
 * what is meant for another would be taken for a passphrase.
 */
export function requireOneReaderOfStdin(sources: Readonly<Record<string, string | undefined>>): void {
  const readers = Object.keys(sources).filter((name) => sources[name] === '-');
  if (readers.length < 2) return;
  throw new StartupError(`standard input holds either ${readers.join(' or ')}: give all but one as a file`);
}
