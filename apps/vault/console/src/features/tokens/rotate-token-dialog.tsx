import type { CreatedTokenMessage, TokenMessage } from '@hearth/protocol-types/vault/token';
import { useId, useState } from 'react';
import { rotateToken } from '../../api/token-api.js';
import { FormDialog } from '../../components/form-dialog.js';
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
  const id = useId();

  return (
    <FormDialog
      title={texts.tokens.rotateTitle(token.name)}
      submit={texts.tokens.rotate}
      disabled={!fresh}
      onClose={onClose}
      onSubmit={async (ifHere) => {
        const rotated = await rotateToken(token.id, grace);
        ifHere(onClose);
        onRotated(rotated);
      }}
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
    </FormDialog>
  );
}
