import type { CreatedTokenMessage } from '@hearth/protocol-types/vault/token';
import { Button } from '../../components/button.js';
import { CodeBlock } from '../../components/code-block.js';
import { CopyButton } from '../../components/copy-button.js';
import { Dialog } from '../../components/dialog.js';
import { Notice } from '../../components/notice.js';
import { texts } from '../../texts.js';
import { curlLine, exportLine } from './curl-line.js';

export interface TokenOnceDialogProps {
  readonly token: CreatedTokenMessage;
  readonly onClose: () => void;
}

const { tokenOnce: words } = texts;

/** The one sight of a token's value. It stays until one says that it is stored. */
export function TokenOnceDialog({ token, onClose }: TokenOnceDialogProps) {
  return (
    <Dialog
      title={words.title}
      shape="wide"
      locked
      onClose={onClose}
      footer={
        <Button look="primary" icon="check" onClick={onClose}>
          {words.stored}
        </Button>
      }
    >
      <Notice kind="warn">
        <p>{words.about}</p>
      </Notice>
      <section className="stack-tight" aria-label={words.value}>
        <h3>{token.name}</h3>
        <div className="code-block">
          <pre>
            <code className="once-value">{token.token}</code>
          </pre>
          <CopyButton text={token.token} label={words.copy} look="primary" />
        </div>
      </section>
      <section className="stack-tight">
        <h3>{words.tryIt}</h3>
        <CodeBlock text={curlLine(token.token, token.effective_scopes)} label={words.tryLabel} />
      </section>
      <section className="stack-tight">
        <h3>{words.shell}</h3>
        <CodeBlock text={exportLine(token.token)} label={words.shellLabel} />
      </section>
    </Dialog>
  );
}
