import { exactTime, relativeTime } from '../lib/times.js';

/** A moment as people say it, with the exact one on hover and for machines. */
export function TimeText({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at)}
    </time>
  );
}
