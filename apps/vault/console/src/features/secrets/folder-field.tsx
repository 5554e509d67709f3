import { type ReactNode, useId } from 'react';
import { describedBy, Field } from '../../components/field.js';
import { texts } from '../../texts.js';
import { folderText, topFolder } from './folders.js';

export interface FolderFieldProps {
  readonly label: string;
  readonly hint: ReactNode;
  readonly text: string;
  readonly folders: readonly string[];
  readonly problem?: string | undefined;
  readonly onText: (text: string) => void;
  readonly onLeave?: () => void;
}

/** A folder by name: one that exists, or a new one. */
export function FolderField({ label, hint, text, folders, problem, onText, onLeave }: FolderFieldProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} problem={problem}>
      <input
        id={id}
        className="input input-mono"
        list={`${id}-folders`}
        placeholder={texts.folders.none}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onBlur={onLeave}
        autoComplete="off"
        spellCheck={false}
        {...describedBy(id, problem)}
      />
      <datalist id={`${id}-folders`}>
        {folders
          .filter((path) => path !== topFolder)
          .map((path) => (
            <option key={path} value={folderText(path)} />
          ))}
      </datalist>
    </Field>
  );
}
