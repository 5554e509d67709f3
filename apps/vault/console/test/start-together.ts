export interface Closable {
  close(): Promise<unknown>;
}

/** Starts both at once. Where one cannot start, the other is closed again: what runs on would keep the run from ending. */
export async function startTogether<One extends Closable, Other extends Closable>(
  startOne: () => Promise<One>,
  startOther: () => Promise<Other>,
): Promise<readonly [One, Other]> {
  const [one, other] = await Promise.allSettled([startOne(), startOther()]);
  if (one.status === 'fulfilled' && other.status === 'fulfilled') return [one.value, other.value];
  if (one.status === 'fulfilled') await one.value.close();
  if (other.status === 'fulfilled') await other.value.close();
  throw one.status === 'rejected' ? one.reason : (other as PromiseRejectedResult).reason;
}
