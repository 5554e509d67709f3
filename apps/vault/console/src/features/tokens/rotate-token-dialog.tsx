import type { CreatedTokenMessage, TokenMessage } from '@hearth/protocol-types/vault/token';
import { useId, useState } from 'react';
import { rotateToken } from '../../api/token-api.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { texts } from '../../texts.js';
import { SignInAgain } from '../sign-in/sign-in-again.js';
import { useFreshSession } from '../sign-in/use-fresh-session.js';

export interface RotateTokenDialogProps {
  readonly token: TokenMessage;
  readonly onClose: () => void;
  readonly onRotated: (token: CreatedTokenMessage) => void;
}

export function RotateTokenDialog({ token, onClose, onRotated }: RotateTokenDialogProps) {
  const fresh = useFreshSession();
  const [grace, setGrace] = useState(0);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const id = useId();

  const rotate = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      onRotated(await rotateToken(token.id, grace));
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={texts.tokens.rotateTitle(token.name)}
      onClose={onClose}
      onSubmit={() => void rotate()}
      footer={
        <>
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" look="primary" busy={busy} disabled={!fresh}>
            {texts.tokens.rotate}
          </Button>
        </>
      }
    >
      {!fresh && <SignInAgain />}
      <p>{texts.tokens.rotateAbout}</p>
      <fieldset className="stack-tight">
        <legend className="field-label">{texts.tokens.grace}</legend>
        {texts.tokens.graces.map(([seconds, label]) => (
          <label key={seconds} className="check">
            <input type="radio" name={id} checked={grace === seconds} onChange={() => setGrace(seconds)} />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      {problem !== undefined && <ProblemNotice error={problem} />}
    </Dialog>
  );
}
