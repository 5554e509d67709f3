import { someNames } from '../lib/some-names.js';
import { texts } from '../texts.js';

/** Names of keys, the first few of many. */
export function NameList({ names }: { readonly names: readonly string[] }) {
  const { shown, more } = someNames(names);
  return (
    <ul className="names">
      {shown.map((name) => (
        <li key={name} className="mono">
          {name}
        </li>
      ))}
      {more > 0 && <li>{texts.common.andMore(more)}</li>}
    </ul>
  );
}
