import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../texts.js';
import { Button } from './button.js';
import { ProblemNotice } from './problem-notice.js';
import { Skeleton } from './skeleton.js';

export interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly rows?: number;
  /** Instead of rows, where none will come. */
  readonly waiting?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** What a list shows while it loads, when it cannot be loaded, and when it is there. */
export function QueryView<Data>({ query, rows = 6, waiting, children }: QueryViewProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    return (
      <div className="panel-body">
        <ProblemNotice error={query.error} />
        <div>
          <Button icon="refresh" onClick={() => void query.refetch()}>
            {texts.common.retry}
          </Button>
        </div>
      </div>
    );
  }
  return waiting ?? <Skeleton rows={rows} />;
}
