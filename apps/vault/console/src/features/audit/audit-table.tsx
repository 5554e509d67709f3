import type { AuditEventMessage } from '@hearth/protocol-types/vault/audit';
import type { VaultSummary } from '@hearth/protocol-types/vault/vault-summary';
import { TimeText } from '../../components/time-text.js';
import { texts } from '../../texts.js';
import { factsOf } from './facts-of.js';

export interface AuditTableProps {
  readonly events: readonly AuditEventMessage[];
  readonly vaults: readonly VaultSummary[];
}

const { audit: words } = texts;
const looks: Readonly<Record<string, string>> = {
  success: 'badge badge-good',
  denied: 'badge badge-warn',
  error: 'badge badge-bad',
};

export function AuditTable({ events, vaults }: AuditTableProps) {
  const names = new Map(vaults.map(({ id, name }) => [id, name]));
  return (
    <div className="table-scroll">
      <table className="table table-cards" aria-label={words.table}>
        <thead>
          <tr>
            <th scope="col">{words.when}</th>
            <th scope="col">{words.what}</th>
            <th scope="col">{words.target}</th>
            <th scope="col">{words.who}</th>
            <th scope="col">{words.where}</th>
            <th scope="col">{words.outcome}</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id}>
              <td data-label={words.when} className="no-wrap">
                <TimeText at={event.at} />
              </td>
              <td data-label={words.what}>
                {words.actions[event.action] ?? event.action}
                <div className="small soft foreign-words">
                  <code>{event.action}</code>
                  {factsOf(event.meta).map((fact) => ` · ${fact}`)}
                </div>
              </td>
              <td data-label={words.target}>
                {event.target?.label ?? names.get(event.target?.id ?? '') ?? event.target?.kind ?? ''}
                {event.vault_id && event.target?.kind !== 'vault' && (
                  <div className="small soft">{names.get(event.vault_id)}</div>
                )}
              </td>
              <td data-label={words.who} className="roomy">
                {event.actor.label ?? words.actors[event.actor.kind] ?? event.actor.kind}
                {event.actor.kind === 'token' && (
                  <div className="small soft">{words.actors['token']?.toLowerCase()}</div>
                )}
              </td>
              <td data-label={words.where} className="roomy">
                {event.ip}
              </td>
              <td data-label={words.outcome}>
                <span className={looks[event.outcome] ?? 'badge'}>
                  {words.outcomes[event.outcome] ?? event.outcome}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
