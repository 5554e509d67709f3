import { useId, useRef } from 'react';
import { Button } from '../../components/button.js';
import { Field } from '../../components/field.js';
import { texts } from '../../texts.js';

export interface ImportSourceProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** A file came in whole: on to the preview. */
  readonly onFile: (text: string) => void;
}

export function ImportSource({ text, onText, onFile }: ImportSourceProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const read = (file: File | undefined) => file && void file.text().then(onFile);
  return (
    <>
      <section
        className="drop-zone"
        aria-label={texts.import.chooseFile}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          read(event.dataTransfer.files[0]);
        }}
      >
        <Button icon="upload" onClick={() => input.current?.click()}>
          {texts.import.chooseFile}
        </Button>
        <span className="small soft">{texts.import.dropAbout}</span>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={texts.import.chooseFile}
          onChange={(event) => read(event.target.files?.[0])}
        />
      </section>
      <Field id={id} label={texts.import.text}>
        <textarea
          id={id}
          className="input input-mono"
          rows={6}
          placeholder={texts.import.textExample}
          value={text}
          onChange={(event) => onText(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          data-1p-ignore=""
        />
      </Field>
    </>
  );
}
