import { useId, useState } from 'react';
import { Button } from '../../components/button.js';
import { Field } from '../../components/field.js';
import { texts } from '../../texts.js';
import { type GeneratorKind, generateValue, lengthLimits } from './generate-value.js';

const kinds: readonly GeneratorKind[] = ['password', 'hex', 'base64', 'uuid'];

/** Makes a random value and puts it into the field, unseen. */
export function GeneratorPanel({ onUse }: { readonly onUse: (value: string) => void }) {
  const [kind, setKind] = useState<GeneratorKind>('password');
  const [length, setLength] = useState<number>(lengthLimits.password.start);
  const [symbols, setSymbols] = useState(false);
  const id = useId();
  return (
    <fieldset className="inset">
      <legend className="unseen">{texts.generator.title}</legend>
      <div className="stack">
        <div className="segments">
          {kinds.map((name) => (
            <label key={name}>
              <input type="radio" name={id} checked={kind === name} onChange={() => setKind(name)} />
              {texts.generator.kinds[name]}
            </label>
          ))}
        </div>
        {kind !== 'uuid' && (
          <Field
            id={`${id}-length`}
            label={`${texts.generator.length}: ${length} ${texts.generator.lengthOf[kind]}`}
          >
            <input
              id={`${id}-length`}
              type="range"
              min={lengthLimits[kind].min}
              max={lengthLimits[kind].max}
              value={length}
              onChange={(event) => setLength(Number(event.target.value))}
            />
          </Field>
        )}
        {kind === 'password' && (
          <label className="check">
            <input type="checkbox" checked={symbols} onChange={(event) => setSymbols(event.target.checked)} />
            <span>{texts.generator.symbols}</span>
          </label>
        )}
        <div>
          <Button small look="primary" onClick={() => onUse(generateValue({ kind, length, symbols }))}>
            {texts.generator.use}
          </Button>
        </div>
      </div>
    </fieldset>
  );
}
