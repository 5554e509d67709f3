import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AuditFilters, exportAudit, readAudit, verifyAudit } from '../../api/audit-api.js';
import { queryKeys } from '../../api/query-client.js';
import { readSeal } from '../../api/seal-api.js';
import { listVaults } from '../../api/vault-api.js';
import { AttemptButton } from '../../components/attempt-button.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHead } from '../../components/page-head.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { downloadBlob } from '../../lib/download.js';
import { toasts } from '../../lib/toasts.js';
import { texts } from '../../texts.js';
import { AuditFilterBar } from './audit-filter-bar.js';
import { AuditTable } from './audit-table.js';

export function AuditPage() {
  const [filters, setFilters] = useState<AuditFilters>({});
  const isOperator = useQuery({ queryKey: queryKeys.seal, queryFn: readSeal }).data?.may_seal === true;
  const vaults = useQuery({ queryKey: queryKeys.vaults, queryFn: listVaults }).data ?? [];
  const pages = useInfiniteQuery({
    queryKey: queryKeys.audit(filters),
    queryFn: ({ pageParam }) => readAudit(filters, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    // Other filters change the rows when they are there; until then the old ones stay.
    placeholderData: keepPreviousData,
  });
  const events = pages.data?.pages.flatMap((page) => page.events);

  const save = async () => downloadBlob(await exportAudit(filters), 'audit.ndjson');
  const verify = async () => {
    const { valid, events: number, first_broken_id } = await verifyAudit(filters.log);
    toasts.show(
      valid
        ? { text: texts.audit.verified(number) }
        : { kind: 'bad', text: texts.audit.broken(first_broken_id) },
    );
  };

  return (
    <>
      <PageHead title={texts.audit.title} about={texts.audit.about}>
        <AttemptButton icon="shield" work={verify}>
          {texts.audit.verify}
        </AttemptButton>
        <AttemptButton icon="download" work={save}>
          {texts.audit.export}
        </AttemptButton>
      </PageHead>
      <AuditFilterBar filters={filters} vaults={vaults} withLogs={isOperator} onChange={setFilters} />
      <div className="panel" aria-busy={pages.isPlaceholderData}>
        {events === undefined ? (
          pages.isError ? (
            <div className="panel-body">
              <ProblemNotice error={pages.error} />
            </div>
          ) : (
            <Skeleton rows={10} />
          )
        ) : events.length === 0 ? (
          <EmptyState icon="activity" title={texts.audit.emptyTitle}>
            <p>{texts.audit.emptyAbout}</p>
          </EmptyState>
        ) : (
          <AuditTable events={events} vaults={vaults} />
        )}
      </div>
      {pages.hasNextPage && (
        <div>
          <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {texts.audit.more}
          </Button>
        </div>
      )}
    </>
  );
}
