import { useId } from 'react';
import type { ImportMode } from '../../api/secret-api.js';
import { texts } from '../../texts.js';

export interface ImportModeChoiceProps {
  readonly mode: ImportMode;
  readonly onChange: (mode: ImportMode) => void;
}

const modes: readonly ImportMode[] = ['merge', 'skip', 'replace'];

/** What happens to keys that exist, each way in a sentence. */
export function ImportModeChoice({ mode, onChange }: ImportModeChoiceProps) {
  const id = useId();
  return (
    <fieldset className="stack-tight">
      <legend className="field-label">{texts.import.mode}</legend>
      <div className="choice-cards">
        {modes.map((name) => (
          <label key={name} className="choice-card check">
            <input type="radio" name={id} checked={mode === name} onChange={() => onChange(name)} />
            <span className="check-text">
              {texts.import.modes[name][0]}
              <small>{texts.import.modes[name][1]}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
