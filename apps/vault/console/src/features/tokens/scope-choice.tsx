import type { ScopeCatalogue } from '@hearth/protocol-types/vault/scope-catalogue';
import { useId, useState } from 'react';
import { texts } from '../../texts.js';
import { impliedBy, ScopeList } from './scope-list.js';

export interface ScopeChoiceProps {
  readonly catalogue: ScopeCatalogue;
  readonly scopes: readonly string[];
  readonly problem: string | undefined;
  readonly onChange: (scopes: readonly string[]) => void;
}

const { tokenForm: words } = texts;
const custom = 'custom';

/** Ready-made sets first; each right in plain words behind them. */
export function ScopeChoice({ catalogue, scopes, problem, onChange }: ScopeChoiceProps) {
  const id = useId();
  const matching = catalogue.presets.find((preset) => sameSet(preset.scopes, scopes))?.id ?? custom;
  const [open, setOpen] = useState(matching === custom);
  const preset = open ? custom : matching;
  const implied = impliedBy(catalogue.scopes, scopes);
  const choose = (presetId: string, chosen: readonly string[]) => {
    setOpen(presetId === custom);
    if (presetId !== custom) onChange(chosen);
  };

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
        <ScopeList
          offered={catalogue.scopes}
          scopes={scopes}
          describedBy={`${id}-problem`}
          onChange={onChange}
        />
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

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}
