import { readFileSync } from 'node:fs';

/** The version of the package whose `package.json` lies at this address, so that it is written in one place only. */
export function packageVersion(packageJson: URL): string {
  return (JSON.parse(readFileSync(packageJson, 'utf8')) as { version: string }).version;
}
