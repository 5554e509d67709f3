import type { ScopeCatalogue } from '@hearth/protocol-types/vault/scope-catalogue';
import { texts } from '../../texts.js';

export interface ScopeListProps {
  /** The rights to choose from. */
  readonly offered: ScopeCatalogue['scopes'];
  readonly scopes: readonly string[];
  readonly describedBy?: string;
  readonly onChange: (scopes: readonly string[]) => void;
}

const { tokenForm: words } = texts;

/** Each right in plain words. What comes along with a choice is ticked in grey. */
export function ScopeList({ offered, scopes, describedBy, onChange }: ScopeListProps) {
  const implied = impliedBy(offered, scopes);
  const groups = [...new Set(offered.map(({ group }) => group))];
  const toggle = (name: string, on: boolean) =>
    onChange(on ? [...scopes, name] : scopes.filter((scope) => scope !== name));
  return (
    <fieldset className="stack" aria-describedby={describedBy}>
      <legend className="field-label">{words.scopes}</legend>
      {groups.map((group) => (
        <div key={group} className="stack-tight">
          <h3>{group}</h3>
          {offered
            .filter((scope) => scope.group === group)
            .map((scope) => {
              const comesAlong = implied.has(scope.name) && !scopes.includes(scope.name);
              return (
                <label key={scope.name} className="check">
                  <input
                    type="checkbox"
                    checked={scopes.includes(scope.name) || comesAlong}
                    disabled={comesAlong}
                    onChange={(event) => toggle(scope.name, event.target.checked)}
                  />
                  <span className="check-text">
                    {scope.title} <code className="small soft">{scope.name}</code>
                    <small>{comesAlong ? `${scope.effect} · ${words.implied}` : scope.effect}</small>
                  </span>
                </label>
              );
            })}
        </div>
      ))}
    </fieldset>
  );
}

export function impliedBy(
  catalogue: ScopeCatalogue['scopes'],
  scopes: readonly string[],
): ReadonlySet<string> {
  return new Set(catalogue.filter(({ name }) => scopes.includes(name)).flatMap(({ implies }) => implies));
}
