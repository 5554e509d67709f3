import { useEffect, useId, useRef, useState } from 'react';
import { hasCode } from '../../api/problem.js';
import { isOpen, unsealVault } from '../../api/seal-api.js';
import { Button } from '../../components/button.js';
import { describedBy, Field } from '../../components/field.js';
import { FrontPage } from '../../components/front-page.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { useAttempt } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';

const { seal: words } = texts;
const pointIcons = ['lock', 'key', 'check'] as const;
const points = pointIcons.map((icon, index) => ({ icon, text: words.points[index] ?? '' }));
/** Another operator may have been quicker. */
const lookAgainMs = 5000;

/** All there is of a sealed vault: why, and the passphrase that opens it. */
export function SealedPage({ onOpen }: { readonly onOpen: () => void }) {
  const [passphrase, setPassphrase] = useState('');
  const [shown, setShown] = useState(false);
  const [triedEmpty, setTriedEmpty] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { busy, problem: error, run } = useAttempt(() => input.current?.select());
  const id = useId();

  useEffect(() => {
    document.title = `${words.title} · ${texts.product}`;
    input.current?.focus();
  }, []);
  useEffect(() => {
    const timer = setInterval(() => void isOpen().then((open) => open && onOpen()), lookAgainMs);
    return () => clearInterval(timer);
  }, [onOpen]);

  const submit = () => {
    setTriedEmpty(passphrase === '');
    return run(async () => {
      try {
        await unsealVault({ passphrase });
      } catch (error) {
        // Somebody was quicker; what else stands against it stays to be read.
        if (!hasCode(error, 'conflict') || !(await isOpen())) throw error;
      }
      onOpen();
    });
  };

  const problem = fieldProblemOf(error, triedEmpty);
  return (
    <FrontPage headline={words.headline} points={points}>
      <p className="soft">{words.lead}</p>
      <form
        noValidate
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field id={id} label={words.passphrase} problem={problem}>
          <input
            ref={input}
            id={id}
            className="input"
            type={shown ? 'text' : 'password'}
            value={passphrase}
            onChange={(event) => setPassphrase(event.target.value)}
            autoComplete="current-password"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            {...describedBy(id, problem)}
          />
        </Field>
        {error !== undefined && problem === undefined && <ProblemNotice error={error} />}
        <div className="row">
          <Button type="submit" look="primary" icon="key" busy={busy}>
            {busy ? words.unsealing : words.unseal}
          </Button>
          <Button
            look="quiet"
            icon={shown ? 'eye-off' : 'eye'}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? words.hide : words.show}
          </Button>
        </div>
      </form>
    </FrontPage>
  );
}

/** What the field itself says; anything else is said below it. */
function fieldProblemOf(error: unknown, wasEmpty: boolean): string | undefined {
  if (hasCode(error, 'wrong_passphrase')) return words.wrong;
  if (!hasCode(error, 'validation_failed')) return undefined;
  return wasEmpty ? words.empty : words.tooLong;
}
