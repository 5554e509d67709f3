import type { TokenMessage } from '@hearth/protocol-types/vault/token';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { queryKeys } from '../../api/query-client.js';
import { listVaults } from '../../api/vault-api.js';
import { describedBy, Field } from '../../components/field.js';
import { texts } from '../../texts.js';
import type { TokenDraft } from './token-draft.js';

export interface TokenLimitsProps {
  readonly draft: TokenDraft;
  readonly problems: {
    readonly vaults: string | undefined;
    readonly environments: string | undefined;
    readonly ip: string | undefined;
  };
  /** Only these can be chosen; undefined: every vault, and all of them. */
  readonly vaultIds?: readonly string[] | undefined;
  /** What a token reaches by other names, since environments were renamed. */
  readonly renamed?: TokenMessage['vault_environments'];
  readonly onChange: (part: Partial<TokenDraft>) => void;
}

const { tokenForm: words } = texts;

/** Where the token may be used: less is safer, nothing is asked. */
export function TokenLimits({ draft, problems, vaultIds, renamed = [], onChange }: TokenLimitsProps) {
  const all = useQuery({ queryKey: queryKeys.vaults, queryFn: listVaults }).data ?? [];
  const vaults = all.filter(({ id: vaultId }) => vaultIds?.includes(vaultId) ?? true);
  const id = useId();
  const chosen = draft.vaultIds;
  const toggle = (vaultId: string, on: boolean) =>
    onChange({
      vaultIds: on ? [...(chosen ?? []), vaultId] : (chosen ?? []).filter((one) => one !== vaultId),
    });
  return (
    <>
      <fieldset className="stack-tight">
        <legend className="field-label">{words.vaults}</legend>
        {vaultIds === undefined && (
          <>
            <label className="check">
              <input
                type="radio"
                name={`${id}-vaults`}
                checked={chosen === undefined}
                onChange={() => onChange({ vaultIds: undefined })}
              />
              <span>{words.allVaults}</span>
            </label>
            <label className="check">
              <input
                type="radio"
                name={`${id}-vaults`}
                checked={chosen !== undefined}
                onChange={() => onChange({ vaultIds: [] })}
              />
              <span>{words.someVaults}</span>
            </label>
          </>
        )}
        {chosen !== undefined && (
          <div className="choice-cards">
            {vaults.map((vault) => (
              <label key={vault.id} className="choice-card check">
                <input
                  type="checkbox"
                  checked={chosen.includes(vault.id)}
                  onChange={(event) => toggle(vault.id, event.target.checked)}
                />
                <span>{vault.name}</span>
              </label>
            ))}
          </div>
        )}
        {problems.vaults && <span className="field-problem">{problems.vaults}</span>}
      </fieldset>
      <Field
        id={`${id}-env`}
        label={words.environments}
        hint={
          <>
            {words.environmentsHint}
            {renamed.map(({ vault_id, environments }) => (
              <span key={vault_id} className="hint-line">
                {words.renamedSince(all.find((vault) => vault.id === vault_id)?.name, environments)}
              </span>
            ))}
          </>
        }
        problem={problems.environments}
      >
        <input
          id={`${id}-env`}
          className="input input-mono"
          value={draft.environments}
          onChange={(event) => onChange({ environments: event.target.value })}
          autoComplete="off"
          {...describedBy(`${id}-env`, problems.environments)}
        />
      </Field>
      <Field id={`${id}-ip`} label={words.ip} hint={words.ipHint} problem={problems.ip}>
        <input
          id={`${id}-ip`}
          className="input input-mono"
          value={draft.ipAllow}
          onChange={(event) => onChange({ ipAllow: event.target.value })}
          autoComplete="off"
          {...describedBy(`${id}-ip`, problems.ip)}
        />
      </Field>
    </>
  );
}
