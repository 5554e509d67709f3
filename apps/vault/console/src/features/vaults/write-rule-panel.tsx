import type { VaultDetail } from '@hearth/protocol-types/vault/vault-detail';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { queryKeys } from '../../api/query-client.js';
import { updateVault } from '../../api/vault-api.js';
import { ProblemNotice } from '../../components/problem-notice.js';
import { toasts } from '../../lib/toasts.js';
import { useAttempt } from '../../lib/use-attempt.js';
import { texts } from '../../texts.js';

const { vaults: words } = texts;

/** Whether programs must say what they replace. The console always does. */
export function WriteRulePanel({ vault }: { readonly vault: VaultDetail }) {
  const client = useQueryClient();
  // What was just chosen, while the vault is being told.
  const [chosen, setChosen] = useState(false);
  const { busy, problem, run } = useAttempt();
  const id = useId();

  const choose = (wanted: boolean) =>
    run(async () => {
      setChosen(wanted);
      const updated = await updateVault(vault.id, { requires_preconditions: wanted });
      client.setQueryData(queryKeys.vault(vault.id), updated);
      toasts.show({ text: wanted ? words.writeRuleOn : words.writeRuleOff });
    });

  return (
    <section className="panel">
      <div className="panel-body">
        <h2>{words.writeRule}</h2>
        <label className="check">
          <input
            type="checkbox"
            checked={busy ? chosen : vault.requires_preconditions}
            aria-describedby={id}
            onChange={(event) => void choose(event.target.checked)}
          />
          <span>{words.writeRuleLabel}</span>
        </label>
        <p id={id} className="soft">
          {words.writeRuleAbout}
        </p>
        {problem !== undefined && <ProblemNotice error={problem} />}
      </div>
    </section>
  );
}
