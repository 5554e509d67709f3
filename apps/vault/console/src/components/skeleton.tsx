import { texts } from '../texts.js';

/** Stands where rows will be. */
export function Skeleton({ rows = 6 }: { readonly rows?: number }) {
  return (
    <div className="skeleton" role="status" aria-label={texts.common.loading}>
      {Array.from({ length: rows }, (_, index) => `row-${index}`).map((key) => (
        <span key={key} />
      ))}
    </div>
  );
}
