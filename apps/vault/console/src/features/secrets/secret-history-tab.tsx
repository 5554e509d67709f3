import type { SecretMessage } from '@hearth/protocol-types/vault/secret';
import type { SecretVersionMessage } from '@hearth/protocol-types/vault/secret-version';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../api/query-client.js';
import {
  listVersions,
  readSecret,
  readVersion,
  rollbackSecret,
  type SecretPlace,
} from '../../api/secret-api.js';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { QueryView } from '../../components/query-view.js';
import { TimeText } from '../../components/time-text.js';
import { useAttempt } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';
import { DiffView } from './diff-view.js';

export interface SecretHistoryTabProps {
  readonly place: SecretPlace;
  readonly secret: SecretMessage;
}

interface Compared {
  readonly version: number;
  readonly before: string;
  readonly after: string;
}

/** Every version, what it changed, and the way back to it. Values are fetched only to be compared, and dropped after. */
export function SecretHistoryTab({ place, secret }: SecretHistoryTabProps) {
  const client = useQueryClient();
  const [compared, setCompared] = useState<Compared>();
  const [said, setSaid] = useState('');
  const { busy, problem, run } = useAttempt();
  const versions = useQuery({
    queryKey: [...queryKeys.versions(place.vaultId, place.env, place.path, place.key), secret.version],
    queryFn: () => listVersions(place),
    // A new version is added to the list that is there: whoever is in it stays where they are.
    placeholderData: keepPreviousData,
  });

  const compare = (version: number) => {
    if (compared?.version === version) return setCompared(undefined);
    void run(async () => {
      const [older, current] = await Promise.all([readVersion(place, version), readSecret(place)]);
      setCompared({ version, before: older.value ?? '', after: current.value });
    });
  };
  const rollback = (version: number) =>
    run(async () => {
      await rollbackSecret(place, version, secret.version);
      setCompared(undefined);
      setSaid(texts.history.rolledBack(version));
      // Until the list is here, the next rollback would not know what it replaces.
      await client.invalidateQueries({ queryKey: queryKeys.vault(place.vaultId) });
    });

  return (
    <>
      <div role="status">
        {said && (
          <Notice kind="good">
            <p>{said}</p>
          </Notice>
        )}
      </div>
      {problem !== undefined && <ProblemNotice error={problem} />}
      <QueryView query={versions} rows={4}>
        {(list) => (
          <ol>
            {list.map((version) => (
              <li key={version.version} className="version">
                <div className="spread">
                  <VersionLine version={version} />
                  {!version.is_current && version.destroyed_at === null && (
                    <span className="row">
                      <Button
                        small
                        icon="history"
                        busy={busy}
                        aria-expanded={compared?.version === version.version}
                        onClick={() => compare(version.version)}
                      >
                        {compared?.version === version.version
                          ? texts.history.hideCompare
                          : texts.history.compare}
                      </Button>
                      <Button small icon="undo" busy={busy} onClick={() => void rollback(version.version)}>
                        {texts.history.rollback}
                      </Button>
                    </span>
                  )}
                </div>
                {compared?.version === version.version && (
                  <DiffView before={compared.before} after={compared.after} />
                )}
              </li>
            ))}
          </ol>
        )}
      </QueryView>
    </>
  );
}

function VersionLine({ version }: { readonly version: SecretVersionMessage }) {
  const { history } = texts;
  return (
    <div>
      <strong>{history.line(version.version)}</strong>{' '}
      {version.is_current && <span className="badge badge-good">{history.current}</span>}
      {version.destroyed_at !== null && <span className="badge badge-bad">{history.destroyed}</span>}
      <div className="small soft">
        {history.source[version.source]}{' '}
        {version.restored_from !== null && `${history.restoredFrom(version.restored_from)} `}
        <TimeText at={version.created_at} /> · {history.by[version.created_by.kind]}
      </div>
    </div>
  );
}
