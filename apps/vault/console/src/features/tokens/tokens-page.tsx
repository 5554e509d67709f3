import type { CreatedTokenMessage, TokenMessage } from '@hearth/protocol-types/vault/token';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { queryKeys } from '../../api/query-client.js';
import { listTokens, revokeAllTokens, revokeToken } from '../../api/token-api.js';
import { listVaults } from '../../api/vault-api.js';
import { Button } from '../../components/button.js';
import { CodeBlock } from '../../components/code-block.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { EmptyState } from '../../components/empty-state.js';
import { PageHead } from '../../components/page-head.js';
import { QueryView } from '../../components/query-view.js';
import { useShortcuts } from '../../lib/shortcuts.js';
import { daysUntil } from '../../lib/times.js';
import { toasts } from '../../lib/toasts.js';
import { texts } from '../../texts.js';
import { CreateTokenDialog } from './create-token-dialog.js';
import { curlLine } from './curl-line.js';
import { EditTokenDialog } from './edit-token-dialog.js';
import { RotateTokenDialog } from './rotate-token-dialog.js';
import { TokenOnceDialog } from './token-once-dialog.js';
import { TokensTable } from './tokens-table.js';

type Overlay =
  | { readonly kind: 'create' | 'revoke-all' }
  | { readonly kind: 'edit' | 'rotate' | 'revoke'; readonly token: TokenMessage };

const leakShownDays = 30;

/** What a report took away is not left to be discovered under a box to tick. */
function leakedLately({ leak, revoked_at: at }: TokenMessage): boolean {
  return leak !== null && at !== null && daysUntil(at) > -leakShownDays;
}

/** Secrets, then Tokens. */
export function TokensPage() {
  const client = useQueryClient();
  const [query] = useSearchParams();
  const tokens = useQuery({ queryKey: queryKeys.tokens, queryFn: listTokens });
  const vaults = useQuery({ queryKey: queryKeys.vaults, queryFn: listVaults });
  const vaultNames = new Map(vaults.data?.map(({ id, name }) => [id, name]));
  const [overlay, setOverlay] = useState<Overlay | undefined>(
    query.has('create') ? { kind: 'create' } : undefined,
  );
  // The value lives here while it is shown, in no cache, and goes with the dialog.
  const [issued, setIssued] = useState<CreatedTokenMessage>();
  const [inactive, setInactive] = useState(false);
  const close = () => setOverlay(undefined);
  const refresh = () => void client.invalidateQueries({ queryKey: queryKeys.tokens });
  // Also when its dialog was cancelled too late: the value of a token that exists is shown just this once.
  const onIssued = (token: CreatedTokenMessage) => {
    setIssued(token);
    refresh();
  };
  useShortcuts({ n: () => setOverlay({ kind: 'create' }) });

  const live = tokens.data?.filter(({ status }) => status === 'active') ?? [];
  const shown = tokens.data?.filter((token) => token.status === 'active' || leakedLately(token)) ?? [];
  const hidden = (tokens.data?.length ?? 0) - shown.length;
  return (
    <>
      <PageHead title={texts.tokens.title} about={texts.tokens.about}>
        {live.length > 0 && (
          <Button onClick={() => setOverlay({ kind: 'revoke-all' })}>{texts.tokens.revokeAll}</Button>
        )}
        <Button look="primary" icon="plus" onClick={() => setOverlay({ kind: 'create' })}>
          {texts.tokens.create}
        </Button>
      </PageHead>
      {hidden > 0 && (
        <label className="check">
          <input type="checkbox" checked={inactive} onChange={(event) => setInactive(event.target.checked)} />
          <span>
            {texts.tokens.showInactive} ({hidden})
          </span>
        </label>
      )}
      <div className="panel">
        <QueryView query={tokens}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState icon="key" title={texts.tokens.emptyTitle}>
                <p>{texts.tokens.emptyAbout}</p>
                <CodeBlock
                  text={curlLine('$HEARTH_VAULT_TOKEN', ['vaults:read'])}
                  label={texts.tokenOnce.tryLabel}
                />
                <Button look="primary" icon="plus" onClick={() => setOverlay({ kind: 'create' })}>
                  {texts.tokens.create}
                </Button>
              </EmptyState>
            ) : (
              <TokensTable
                vaultNames={vaultNames}
                tokens={inactive ? list : shown}
                onEdit={(token) => setOverlay({ kind: 'edit', token })}
                onRotate={(token) => setOverlay({ kind: 'rotate', token })}
                onRevoke={(token) => setOverlay({ kind: 'revoke', token })}
              />
            )
          }
        </QueryView>
      </div>
      {overlay?.kind === 'create' && <CreateTokenDialog onClose={close} onCreated={onIssued} />}
      {overlay?.kind === 'edit' && (
        <EditTokenDialog token={overlay.token} onClose={close} onEdited={refresh} />
      )}
      {overlay?.kind === 'rotate' && (
        <RotateTokenDialog token={overlay.token} onClose={close} onRotated={onIssued} />
      )}
      {overlay?.kind === 'revoke' && (
        <ConfirmDialog
          title={texts.tokens.revokeTitle(overlay.token.name)}
          action={texts.tokens.revoke}
          onClose={close}
          onConfirm={async () => {
            await revokeToken(overlay.token.id);
            toasts.show({ text: texts.tokens.revoked(overlay.token.name) });
            refresh();
          }}
        >
          <p>{texts.tokens.revokeAbout}</p>
        </ConfirmDialog>
      )}
      {overlay?.kind === 'revoke-all' && (
        <ConfirmDialog
          title={texts.tokens.revokeAllTitle}
          action={texts.tokens.revokeAll}
          onClose={close}
          onConfirm={async () => {
            const { revoked } = await revokeAllTokens();
            toasts.show({ text: texts.tokens.revokedAll(revoked) });
            refresh();
          }}
        >
          <p>{texts.tokens.revokeAllAbout(live.length)}</p>
        </ConfirmDialog>
      )}
      {issued && (
        <TokenOnceDialog
          token={issued}
          onClose={() => {
            toasts.show({ text: texts.tokenOnce.done(issued.name) });
            setIssued(undefined);
          }}
        />
      )}
    </>
  );
}
