import { useId } from 'react';
import type { ApiProblem } from '../../api/problem.js';
import { describedBy, Field } from '../../components/field.js';
import { texts } from '../../texts.js';

export interface NoteAndTagsProps {
  readonly note: string;
  readonly tags: string;
  readonly problem: ApiProblem | undefined;
  readonly onNote: (note: string) => void;
  readonly onTags: (tags: string) => void;
}

export function NoteAndTags({ note, tags, problem, onNote, onTags }: NoteAndTagsProps) {
  const id = useId();
  const noteProblem = problem?.fieldProblem('/note');
  const tagsProblem = problem?.fieldProblem('/tags');
  return (
    <>
      <Field id={`${id}-note`} label={texts.editor.note} hint={texts.editor.noteHint} problem={noteProblem}>
        <input
          id={`${id}-note`}
          className="input"
          value={note}
          onChange={(event) => onNote(event.target.value)}
          {...describedBy(`${id}-note`, noteProblem)}
        />
      </Field>
      <Field id={`${id}-tags`} label={texts.editor.tags} hint={texts.editor.tagsHint} problem={tagsProblem}>
        <input
          id={`${id}-tags`}
          className="input"
          value={tags}
          onChange={(event) => onTags(event.target.value)}
          {...describedBy(`${id}-tags`, tagsProblem)}
        />
      </Field>
    </>
  );
}

/** `a, b ,` is two tags. */
export function tagsIn(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
}
