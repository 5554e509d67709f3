import { fileURLToPath } from 'node:url';

/**
 * A built program of the folder `child`. Next to this file once built; a test runs this file from source, and finds the
 * program in the build.
 */
export function childEntry(program: 'main' | 'gpu-probe' = 'main'): string {
  const beside = fileURLToPath(new URL(`../child/${program}.js`, import.meta.url));
  return beside.replace(/([\\/]apps[\\/]model-server[\\/])src([\\/])/, '$1dist$2');
}
