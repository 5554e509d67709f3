import type { ReactNode } from 'react';
import { SelectField } from './select-field.js';

export interface EnvironmentSelectProps {
  readonly label: string;
  readonly value: string;
  readonly environments: readonly string[];
  /** What it says when none is chosen, where none may be. */
  readonly none?: string;
  readonly hint?: ReactNode;
  readonly onChange: (environment: string) => void;
}

/** One environment of a vault. */
export function EnvironmentSelect({ environments, none, ...field }: EnvironmentSelectProps) {
  return (
    <SelectField
      {...field}
      options={[
        ...(none === undefined ? [] : [['', none] as const]),
        ...environments.map((slug) => [slug, slug] as const),
      ]}
    />
  );
}
