import { texts } from '../../texts.js';
import { type DiffPart, diffValues } from './value-diff.js';

/** Two values, shown together. Signs and words carry the difference, not colour alone. */
export function DiffView({ before, after }: { readonly before: string; readonly after: string }) {
  if (before === after) return <p className="soft">{texts.history.same}</p>;
  const { byLine, parts } = diffValues(before, after);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long values scroll, and keys must reach them
    <section className="diff" aria-label={texts.history.diff} tabIndex={0}>
      {byLine ? (
        parts.flatMap((part, index) => linesOf(part, index))
      ) : (
        <>
          <div>
            <span className="diff-sign">− </span>
            {parts.filter(({ kind }) => kind !== 'added').map(piece)}
          </div>
          <div>
            <span className="diff-sign">+ </span>
            {parts.filter(({ kind }) => kind !== 'removed').map(piece)}
          </div>
        </>
      )}
    </section>
  );
}

function piece({ kind, text }: DiffPart, index: number) {
  const key = `${index}${kind}`;
  if (kind === 'removed') return <del key={key}>{text}</del>;
  if (kind === 'added') return <ins key={key}>{text}</ins>;
  return <span key={key}>{text}</span>;
}

const signs = { same: '  ', removed: '− ', added: '+ ' } as const;

function linesOf({ kind, text }: DiffPart, part: number) {
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line, index) => (
    <div key={`${part}-${index}-${kind}`}>
      <span className="diff-sign">{signs[kind]}</span>
      {piece({ kind, text: line || ' ' }, index)}
    </div>
  ));
}
