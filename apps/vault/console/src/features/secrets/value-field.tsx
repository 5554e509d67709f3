import { useId, useState } from 'react';
import { Button } from '../../components/button.js';
import { describedBy, Field } from '../../components/field.js';
import { texts } from '../../texts.js';
import { GeneratorPanel } from './generator-panel.js';

export interface ValueFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem?: string | undefined;
  /** Fetches what is stored now, to start from it. */
  readonly onLoadCurrent?: (() => void) | undefined;
}

/** Where a value is typed, pasted or generated. Masked until one wants to look; no password manager takes it. */
export function ValueField({ label, value, onChange, problem, onLoadCurrent }: ValueFieldProps) {
  const [shown, setShown] = useState(false);
  const [generating, setGenerating] = useState(false);
  const id = useId();
  return (
    <div className="stack-tight">
      <Field id={id} label={label} problem={problem}>
        <textarea
          id={id}
          className={`input input-mono${shown ? '' : ' input-masked'}`}
          rows={3}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          data-1p-ignore=""
          data-lpignore="true"
          data-bwignore=""
          {...describedBy(id, problem)}
        />
      </Field>
      <div className="value-tools">
        <Button small icon={shown ? 'eye-off' : 'eye'} aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? texts.editor.hide : texts.editor.show}
        </Button>
        <Button small icon="sparkle" aria-expanded={generating} onClick={() => setGenerating(!generating)}>
          {texts.editor.generate}
        </Button>
        {onLoadCurrent && (
          <Button small icon="undo" onClick={onLoadCurrent}>
            {texts.editor.loadCurrent}
          </Button>
        )}
      </div>
      {generating && (
        <GeneratorPanel
          onUse={(generated) => {
            onChange(generated);
            setGenerating(false);
            document.getElementById(id)?.focus();
          }}
        />
      )}
    </div>
  );
}
