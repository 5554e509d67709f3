import { fileURLToPath } from 'node:url';

/**
 * The built program of an engine process. Next to this file once built; a test runs this file from source, and finds
 * the program in the build.
 */
export function childEntry(): string {
  const beside = fileURLToPath(new URL('../child/main.js', import.meta.url));
  return beside.replace(/([\\/]apps[\\/]model-server[\\/])src([\\/])/, '$1dist$2');
}
