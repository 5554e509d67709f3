import type { ReactNode } from 'react';
import { Icon } from './icon.js';

export interface FieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  readonly children: ReactNode;
}

/** A label, its control, a hint and what is wrong. The control names `describedBy(id)`. */
export function Field({ id, label, hint, problem, children }: FieldProps) {
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children}
      <div id={`${id}-about`} className="stack-tight">
        {problem && (
          <span className="field-problem">
            <Icon name="alert" />
            {sentence(problem)}
          </span>
        )}
        {hint && <span className="field-hint">{hint}</span>}
      </div>
    </div>
  );
}

/** The vault speaks of a field as in a list: "must not be empty". */
const sentence = (problem: string): string => problem.charAt(0).toUpperCase() + problem.slice(1);

export function describedBy(id: string, problem?: string): Record<string, string | boolean | undefined> {
  return { 'aria-describedby': `${id}-about`, 'aria-invalid': problem !== undefined || undefined };
}
