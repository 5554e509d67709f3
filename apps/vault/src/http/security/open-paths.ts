/** Reports of leaked tokens come from strangers, and that is their use. */
export const leakReportPath = '/api/secrets/leaks';

const openPaths: ReadonlySet<string> = new Set([leakReportPath]);

/** Whether a path below /api/secrets asks nobody who they are, whatever credentials they send. */
export function isOpenPath(path: string): boolean {
  return openPaths.has(path);
}
