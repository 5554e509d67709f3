import { useId } from 'react';
import { describedBy, Field } from '../../components/field.js';
import { texts } from '../../texts.js';

export interface NoteAndTagsProps {
  readonly note: string;
  readonly tags: string;
  readonly problems: { readonly note: string | undefined; readonly tags: string | undefined };
  readonly onNote: (note: string) => void;
  readonly onTags: (tags: string) => void;
}

export function NoteAndTags({ note, tags, problems, onNote, onTags }: NoteAndTagsProps) {
  const id = useId();
  return (
    <>
      <Field id={`${id}-note`} label={texts.editor.note} hint={texts.editor.noteHint} problem={problems.note}>
        <input
          id={`${id}-note`}
          className="input"
          value={note}
          onChange={(event) => onNote(event.target.value)}
          {...describedBy(`${id}-note`, problems.note)}
        />
      </Field>
      <Field id={`${id}-tags`} label={texts.editor.tags} hint={texts.editor.tagsHint} problem={problems.tags}>
        <input
          id={`${id}-tags`}
          className="input"
          value={tags}
          onChange={(event) => onTags(event.target.value)}
          {...describedBy(`${id}-tags`, problems.tags)}
        />
      </Field>
    </>
  );
}
