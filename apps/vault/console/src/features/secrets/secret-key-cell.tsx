import { memo } from 'react';
import { daysUntil, relativeTime } from '../../lib/times.js';
import { texts } from '../../texts.js';
import type { SecretRow } from './secret-rows.js';

export interface SecretKeyCellProps {
  readonly row: SecretRow;
  readonly active: boolean;
  readonly position: string;
  readonly search: string;
  /** The folder that is being looked at; only what lies below it needs saying. */
  readonly folder: string;
  readonly onOpen: (row: SecretRow) => void;
  /** Whether it is marked; undefined while none can be. */
  readonly selected: boolean | undefined;
  readonly onSelect: (rowId: string) => void;
}

const soonDays = 30;

/** The key that heads a row, with its folder, tags, note and nearest end. */
export const SecretKeyCell = memo(function SecretKeyCell(props: SecretKeyCellProps) {
  const { row, active, position, search, folder, onOpen, selected, onSelect } = props;
  const below = row.path.slice(folder.length);
  const end = [...row.cells.values()]
    .map(({ expires_at }) => expires_at ?? '')
    .filter(Boolean)
    .sort()[0];
  const expiry = end !== undefined && daysUntil(end) < soonDays ? end : undefined;
  return (
    <th scope="row" data-cell={position} tabIndex={active ? 0 : -1} onDoubleClick={() => onOpen(row)}>
      <span className="secret-key" title={row.path.slice(1) + row.key}>
        {selected !== undefined && (
          <input
            type="checkbox"
            aria-label={texts.move.select(row.key)}
            tabIndex={active ? 0 : -1}
            checked={selected}
            onChange={() => onSelect(row.id)}
          />
        )}
        {below && <span className="secret-folder">{below}</span>}
        <span className="secret-name">
          <Marked text={row.key} search={search} />
        </span>
      </span>
      {(row.note || row.tags.length > 0 || expiry) && (
        <span className="secret-about">
          {expiry && (
            <span className="badge badge-warn">
              {texts.secrets.expires(relativeTime(expiry), daysUntil(expiry) < 0)}
            </span>
          )}
          {row.tags.slice(0, 3).map((tag) => (
            <span key={tag} className="badge">
              {tag}
            </span>
          ))}
          {row.note && <span>{row.note}</span>}
        </span>
      )}
    </th>
  );
});

function Marked({ text, search }: { readonly text: string; readonly search: string }) {
  const word = search.trim().toLowerCase();
  const at = word === '' ? -1 : text.toLowerCase().indexOf(word);
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + word.length)}</mark>
      {text.slice(at + word.length)}
    </>
  );
}
