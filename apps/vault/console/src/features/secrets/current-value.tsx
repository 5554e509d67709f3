import { useState } from 'react';
import { readSecret, type SecretPlace } from '../../api/secret-api.js';
import { Button } from '../../components/button.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { copySecret } from '../../lib/clipboard.js';
import { useAttempt } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';
import { useRevealed } from './use-revealed.js';

const only = 'value';

/** The stored value: hidden, shown for a while, or copied without being shown. */
export function CurrentValue({ place }: { readonly place: SecretPlace }) {
  const [said, setSaid] = useState('');
  const { busy, problem, run } = useAttempt();
  const { values, show, hide } = useRevealed(() => setSaid(texts.secrets.hidden(place.key, place.env)));
  const revealed = values.get(only);

  // Each look is in the audit log: a second click is none.
  const reveal = () =>
    run(async (ifHere) => {
      const { value, encoding } = await readSecret(place);
      ifHere(() => show(only, { value, isBinary: encoding === 'base64' }));
      setSaid(texts.secrets.revealed(place.key, place.env));
    });
  const copy = async () => {
    const done = await copySecret(async () => (await readSecret(place)).value);
    setSaid(done ? texts.secrets.copied(place.key, place.env) : texts.secrets.copyFailed);
  };

  return (
    <>
      {revealed ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long values scroll, and keys must reach them
        <pre className="revealed" tabIndex={0}>
          {revealed.value}
        </pre>
      ) : (
        <p className="revealed cell-mask">
          <span aria-hidden="true">{texts.secrets.mask}</span>
          <span className="unseen">{texts.secrets.masked}</span>
        </p>
      )}
      {revealed?.isBinary && <p className="small soft">{texts.secrets.binary}</p>}
      <div className="value-tools">
        <Button
          small
          icon={revealed ? 'eye-off' : 'eye'}
          busy={busy}
          onClick={() => (revealed ? hide(only) : void reveal())}
        >
          {revealed ? texts.secrets.hide : texts.secrets.reveal}
        </Button>
        <Button small icon="copy" onClick={() => void copy()}>
          {texts.secrets.copy}
        </Button>
        <span role="status" className="small soft">
          {said || texts.editor.masked}
        </span>
      </div>
      {problem !== undefined && <ProblemNotice error={problem} />}
    </>
  );
}
