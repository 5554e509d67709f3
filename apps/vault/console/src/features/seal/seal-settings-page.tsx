import type { SealStatus } from '@hearth/protocol-types/vault/seal';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../api/query-client.js';
import { readSeal, sealVault } from '../../api/seal-api.js';
import { Button } from '../../components/button.js';
import { CodeBlock } from '../../components/code-block.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { PageHead } from '../../components/page-head.js';
import { QueryView } from '../../components/query-view.js';
import { texts } from '../../texts.js';

const { seal: words } = texts;

/** Sealing, for those who may; for all others, why not. */
export function SealSettingsPage() {
  const seal = useQuery({ queryKey: queryKeys.seal, queryFn: readSeal });
  const [asking, setAsking] = useState(false);
  return (
    <>
      <PageHead title={words.settingsTitle} about={words.settingsAbout} />
      <div className="panel">
        <QueryView query={seal} rows={2}>
          {(status) => {
            const step = stepOf(status);
            const [title, about] = words.steps[step];
            return (
              <div className="panel-body stack">
                <div className="stack-tight">
                  <h2>{title}</h2>
                  <p className="soft">{about}</p>
                </div>
                {step === 'none' && <CodeBlock text={words.command} label={texts.settings.copyCommand} />}
                {step === 'ready' && (
                  <div>
                    <Button look="danger" icon="lock" onClick={() => setAsking(true)}>
                      {words.seal}
                    </Button>
                  </div>
                )}
              </div>
            );
          }}
        </QueryView>
      </div>
      {asking && (
        <ConfirmDialog
          title={words.sealTitle}
          action={words.seal}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await sealVault();
            // The answer to anything asked now is that the vault is sealed: the page for that comes by itself.
            void seal.refetch();
          }}
        >
          <p>{words.sealAbout}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function stepOf({ has_passphrase, may_seal }: SealStatus): keyof typeof words.steps {
  if (!may_seal) return 'notYours';
  return has_passphrase ? 'ready' : 'none';
}
