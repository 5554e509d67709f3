import type { TokenMessage } from '@hearth/protocol-types/vault/token';
import { Menu } from '../../components/menu.js';
import { TimeText } from '../../components/time-text.js';
import { daysUntil } from '../../lib/times.js';
import { texts } from '../../texts.js';

export interface TokensTableProps {
  readonly tokens: readonly TokenMessage[];
  readonly vaultNames: ReadonlyMap<string, string>;
  readonly onEdit: (token: TokenMessage) => void;
  readonly onRotate: (token: TokenMessage) => void;
  readonly onRevoke: (token: TokenMessage) => void;
}

const soonDays = 14;
const { tokens: words } = texts;

export function TokensTable({ tokens, vaultNames, onEdit, onRotate, onRevoke }: TokensTableProps) {
  return (
    <div className="table-scroll">
      <table className="table table-cards" aria-label={words.table}>
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.scopes}</th>
            <th scope="col">{words.limits}</th>
            <th scope="col">{words.created}</th>
            <th scope="col">{words.expires}</th>
            <th scope="col">{words.lastUse}</th>
            <th scope="col">
              <span className="unseen">{texts.common.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <tr key={token.id}>
              <th scope="row">
                {token.name}{' '}
                {token.status !== 'active' && (
                  <span className="badge badge-bad">
                    {token.leak === null ? words.status[token.status] : words.leaked}
                  </span>
                )}
                <div className="small soft mono">{token.hint}</div>
                <Leak token={token} />
              </th>
              <td data-label={words.scopes}>
                <div className="scope-list">
                  {token.scopes.map((scope) => (
                    <span key={scope} className="badge mono">
                      {scope}
                    </span>
                  ))}
                </div>
              </td>
              <td data-label={words.limits} className="roomy">
                <Limits token={token} vaultNames={vaultNames} />
              </td>
              <td data-label={words.created} className="no-wrap">
                <TimeText at={token.created_at} />
              </td>
              <td data-label={words.expires} className="no-wrap">
                <Expiry token={token} />
              </td>
              <td data-label={words.lastUse} className="no-wrap">
                <LastUse token={token} />
              </td>
              <td className="row-actions">
                {token.status === 'active' && (
                  <Menu
                    label={words.actionsFor(token.name)}
                    items={[
                      { id: 'edit', label: words.edit, icon: 'pencil', onSelect: () => onEdit(token) },
                      { id: 'rotate', label: words.rotate, icon: 'refresh', onSelect: () => onRotate(token) },
                      {
                        id: 'revoke',
                        label: words.revoke,
                        icon: 'trash',
                        danger: true,
                        onSelect: () => onRevoke(token),
                      },
                    ]}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The address is a stranger's words: shown as text, never as a link. */
function Leak({ token: { leak, revoked_at: at } }: { readonly token: TokenMessage }) {
  if (leak === null || at === null) return null;
  return (
    <div className="small soft foreign-words">
      <TimeText at={at} /> · {words.leakReportedBy[leak.reported_by]}
      {leak.url !== null && (
        <div>
          {words.leakFoundAt} <span className="mono">{leak.url}</span>
        </div>
      )}
    </div>
  );
}

function Limits({
  token,
  vaultNames,
}: Pick<TokensTableProps, 'vaultNames'> & { readonly token: TokenMessage }) {
  const limits = [
    token.vault_ids && words.vaultsLimited(token.vault_ids.length),
    token.environments?.join(', '),
    ...token.vault_environments.map((own) => words.inVault(vaultNames.get(own.vault_id), own.environments)),
    token.ip_allow?.join(', '),
  ].filter(Boolean);
  if (limits.length === 0) return <span className="soft">{words.noLimits}</span>;
  return limits.map((limit) => <div key={limit}>{limit}</div>);
}

function Expiry({ token }: { readonly token: TokenMessage }) {
  if (token.expires_at === null) return <span className="badge badge-warn">{words.neverExpires}</span>;
  const soon = token.status === 'active' && daysUntil(token.expires_at) < soonDays;
  return (
    <span className={soon ? 'badge badge-warn' : undefined}>
      <TimeText at={token.expires_at} />
    </span>
  );
}

function LastUse({ token }: { readonly token: TokenMessage }) {
  if (token.last_used_at === null) return <span className="soft">{words.neverUsed}</span>;
  return (
    <>
      <TimeText at={token.last_used_at} />
      {token.last_used_ip && <div className="small soft">{words.from(token.last_used_ip)}</div>}
    </>
  );
}
