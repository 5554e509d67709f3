const checkEveryMs = 1000;

/**
 * Ends this process when the server goes, however it goes. The channel closes when the server dies; should that be
 * missed, a changed parent says the same. SIGKILL, because native code may be in the middle of a batch and an ordered
 * exit would wait for it, or fall over it.
 */
export function stayWithParent(): void {
  const parent = process.ppid;
  const leave = (): void => {
    process.kill(process.pid, 'SIGKILL');
  };
  process.once('disconnect', leave);
  setInterval(() => {
    if (process.ppid !== parent) leave();
  }, checkEveryMs);
  // Ctrl-C reaches the whole process group: the server decides when its children go.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
}
