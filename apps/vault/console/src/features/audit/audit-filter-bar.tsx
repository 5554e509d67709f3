import type { VaultSummary } from '@hearth/protocol-types/vault/vault-summary';
import { type ReactNode, useId } from 'react';
import type { AuditFilters } from '../../api/audit-api.js';
import { Button } from '../../components/button.js';
import { Field } from '../../components/field.js';
import { dayOf, edgeOfDay } from '../../lib/calendar-days.js';
import { texts } from '../../texts.js';

export interface AuditFilterBarProps {
  readonly filters: AuditFilters;
  readonly vaults: readonly VaultSummary[];
  /** Whether there is another log to choose than one's own. */
  readonly withLogs: boolean;
  readonly onChange: (filters: AuditFilters) => void;
}

const { audit: words } = texts;

export function AuditFilterBar({ filters, vaults, withLogs, onChange }: AuditFilterBarProps) {
  const id = useId();
  const set = (name: keyof AuditFilters, value: string) =>
    onChange({ ...filters, [name]: value || undefined });
  const select = (name: keyof AuditFilters, label: string, any: string, options: ReactNode) => (
    <Field id={`${id}-${name}`} label={label}>
      <select
        id={`${id}-${name}`}
        className="input"
        value={filters[name] ?? ''}
        onChange={(event) => set(name, event.target.value)}
      >
        <option value="">{any}</option>
        {options}
      </select>
    </Field>
  );
  const day = (name: 'from' | 'to', label: string) => (
    <Field id={`${id}-${name}`} label={label}>
      <input
        id={`${id}-${name}`}
        type="date"
        className="input"
        value={filters[name] === undefined ? '' : dayOf(filters[name])}
        onChange={(event) => set(name, edgeOfDay(event.target.value, name === 'from' ? 'first' : 'last'))}
      />
    </Field>
  );
  const options = (entries: Readonly<Record<string, string>>) =>
    Object.entries(entries).map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ));
  return (
    <search className="filters" aria-label={words.filters}>
      {withLogs &&
        select('log', words.log, words.logs.own, options({ installation: words.logs.installation }))}
      {select('action', words.action, words.anyAction, options(words.groups))}
      {select('outcome', words.outcome, words.anyOutcome, options(words.outcomes))}
      {select(
        'vault',
        words.vault,
        words.anyVault,
        options(Object.fromEntries(vaults.map(({ id: vaultId, name }) => [vaultId, name]))),
      )}
      {day('from', words.from)}
      {day('to', words.to)}
      <Button onClick={() => onChange({ log: filters.log })}>{words.clear}</Button>
    </search>
  );
}
