import type { ImportResponse } from '@hearth/protocol-types/vault/import';
import { Notice } from '../../components/notice.js';
import { texts } from '../../texts.js';

export const changesIn = (plan: ImportResponse): number =>
  plan.added.length + plan.changed.length + plan.removed.length;

const looks = {
  added: 'badge badge-good',
  changed: 'badge badge-ember',
  removed: 'badge badge-bad',
  unchanged: 'badge',
  skipped: 'badge',
} as const;
const kinds = ['added', 'changed', 'removed', 'skipped', 'unchanged'] as const;

/** What an import would do, by name; no value is here. */
export function ImportPreview({ plan }: { readonly plan: ImportResponse }) {
  const { import: words } = texts;
  return (
    <section className="preview" aria-label={words.preview} role="status">
      <div className="spread">
        <h3>{words.preview}</h3>
        <span className="small soft">{words.previewAbout}</span>
      </div>
      {changesIn(plan) === 0 && plan.errors.length === 0 && <p className="soft">{words.nothing}</p>}
      {kinds.map(
        (kind) =>
          plan[kind].length > 0 && (
            <div key={kind} className="stack-tight">
              <div>
                <span className={looks[kind]}>{words[kind](plan[kind].length)}</span>
              </div>
              <div className="preview-names">
                {plan[kind].map((name) => (
                  <code key={name}>{name}</code>
                ))}
              </div>
            </div>
          ),
      )}
      {plan.errors.length > 0 && (
        <Notice kind="bad" title={words.problems}>
          <Lines lines={plan.errors} />
        </Notice>
      )}
      {plan.warnings.length > 0 && (
        <Notice kind="warn" title={words.warnings}>
          <Lines lines={plan.warnings} />
        </Notice>
      )}
    </section>
  );
}

function Lines({ lines }: { readonly lines: ImportResponse['errors'] }) {
  return (
    <ul>
      {lines.map(({ line, reason }) => (
        <li key={`${line}${reason}`}>{texts.import.line(line, reason)}</li>
      ))}
    </ul>
  );
}
