import { useId } from 'react';
import { Notice } from '../../components/notice.js';
import { dayText, inDays } from '../../lib/times.js';
import { texts } from '../../texts.js';

export interface ExpiryChoiceProps {
  readonly days: number | null;
  readonly onChange: (days: number | null) => void;
}

const { tokenForm: words } = texts;

/** When it ends, with the day spelled out. */
export function ExpiryChoice({ days, onChange }: ExpiryChoiceProps) {
  const id = useId();
  const choices: readonly (readonly [number | null, string])[] = [
    ...words.expiries,
    [null, words.neverLabel],
  ];
  return (
    <fieldset className="stack-tight">
      <legend className="field-label">{words.expiry}</legend>
      <div>
        <div className="segments">
          {choices.map(([value, label]) => (
            <label key={label}>
              <input type="radio" name={id} checked={days === value} onChange={() => onChange(value)} />
              {label}
            </label>
          ))}
        </div>
      </div>
      {days === null ? (
        <Notice kind="warn">
          <p>{words.noEnd}</p>
        </Notice>
      ) : (
        <p className="field-hint">{words.until(dayText(inDays(days)))}</p>
      )}
    </fieldset>
  );
}
