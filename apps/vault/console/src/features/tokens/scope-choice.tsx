import type { ScopeCatalogue } from '@hearth/protocol-types/vault/scope-catalogue';
import { useId, useState } from 'react';
import { texts } from '../../texts.js';

export interface ScopeChoiceProps {
  readonly catalogue: ScopeCatalogue;
  readonly scopes: readonly string[];
  readonly problem: string | undefined;
  readonly onChange: (scopes: readonly string[]) => void;
}

const { tokenForm: words } = texts;
const custom = 'custom';

/** Ready-made sets first; each right in plain words behind them. What comes along with a choice is ticked in grey. */
export function ScopeChoice({ catalogue, scopes, problem, onChange }: ScopeChoiceProps) {
  const id = useId();
  const matching = catalogue.presets.find((preset) => sameSet(preset.scopes, scopes))?.id ?? custom;
  const [open, setOpen] = useState(matching === custom);
  const preset = open ? custom : matching;
  const implied = impliedBy(catalogue, scopes);
  const groups = [...new Set(catalogue.scopes.map(({ group }) => group))];
  const choose = (presetId: string, chosen: readonly string[]) => {
    setOpen(presetId === custom);
    if (presetId !== custom) onChange(chosen);
  };
  const toggle = (name: string, on: boolean) =>
    onChange(on ? [...scopes, name] : scopes.filter((scope) => scope !== name));

  return (
    <>
      <fieldset className="stack-tight">
        <legend className="field-label">{words.preset}</legend>
        <div className="choice-cards">
          {catalogue.presets.map((offered) => (
            <label key={offered.id} className="choice-card check">
              <input
                type="radio"
                name={id}
                checked={preset === offered.id}
                onChange={() => choose(offered.id, offered.scopes)}
              />
              <span className="check-text">
                {offered.title}
                <small>{offered.effect}</small>
              </span>
            </label>
          ))}
          <label className="choice-card check">
            <input
              type="radio"
              name={id}
              checked={preset === custom}
              onChange={() => choose(custom, scopes)}
            />
            <span className="check-text">
              {words.custom}
              <small>{words.customAbout}</small>
            </span>
          </label>
        </div>
      </fieldset>
      {open ? (
        <fieldset className="stack" aria-describedby={`${id}-problem`}>
          <legend className="field-label">{words.scopes}</legend>
          {groups.map((group) => (
            <div key={group} className="stack-tight">
              <h3>{group}</h3>
              {catalogue.scopes
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
      ) : (
        <ul className="small soft">
          {catalogue.scopes
            .filter(({ name }) => scopes.includes(name) || implied.has(name))
            .map(({ name, effect }) => (
              <li key={name}>
                {words.sentence} {effect}.
              </li>
            ))}
        </ul>
      )}
      <p id={`${id}-problem`} role="status" className={problem ? 'field-problem' : 'unseen'}>
        {problem}
      </p>
    </>
  );
}

function impliedBy(catalogue: ScopeCatalogue, scopes: readonly string[]): ReadonlySet<string> {
  return new Set(
    catalogue.scopes.filter(({ name }) => scopes.includes(name)).flatMap(({ implies }) => implies),
  );
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}
