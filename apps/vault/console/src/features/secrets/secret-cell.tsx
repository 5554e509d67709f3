import type { SecretMessage } from '@hearth/protocol-types/vault/secret';
import { memo } from 'react';
import { IconButton } from '../../components/button.js';
import { Icon } from '../../components/icon.js';
import { texts } from '../../texts.js';
import type { SecretRow } from './secret-rows.js';
import type { RevealedValue } from './use-revealed.js';

/** What can be done to a cell; each action says which. */
export type CellAction = 'open' | 'reveal' | 'copy' | 'edit' | 'history' | 'delete';
export type OnCellAction = (action: CellAction, row: SecretRow, environment: string) => void;

export interface SecretCellProps {
  readonly row: SecretRow;
  readonly environment: string;
  readonly secret: SecretMessage | undefined;
  readonly revealed: RevealedValue | undefined;
  /** Whether Tab reaches it: one cell of the grid at a time. */
  readonly active: boolean;
  readonly position: string;
  readonly onAction: OnCellAction;
}

export const SecretCell = memo(function SecretCell(props: SecretCellProps) {
  const { row, environment, secret, revealed, active, position, onAction } = props;
  const name = texts.secrets.cell(row.key, environment);
  const tabIndex = active ? 0 : -1;
  const act = (action: CellAction) => () => onAction(action, row, environment);
  const tool = (icon: Parameters<typeof IconButton>[0]['icon'], words: string, action: CellAction) => (
    <IconButton icon={icon} label={`${words}: ${name}`} tabIndex={tabIndex} onClick={act(action)} />
  );
  return (
    <td data-cell={position} data-revealed={revealed && ''} tabIndex={tabIndex} onDoubleClick={act('open')}>
      <div className="cell">
        {secret ? (
          <>
            {revealed ? (
              <span className="cell-value" title={revealed.isBinary ? texts.secrets.binary : undefined}>
                {revealed.value}
              </span>
            ) : (
              <span className="cell-value cell-mask">
                <span aria-hidden="true">{texts.secrets.mask}</span>
                <span className="unseen">{texts.secrets.masked}</span>
              </span>
            )}
            <span className="cell-actions">
              {tool(
                revealed ? 'eye-off' : 'eye',
                revealed ? texts.secrets.hide : texts.secrets.reveal,
                'reveal',
              )}
              {tool('copy', texts.secrets.copy, 'copy')}
              {tool('pencil', texts.secrets.edit, 'edit')}
            </span>
          </>
        ) : (
          <>
            <span className="cell-missing">
              <Icon name="alert" />
              {texts.secrets.missing}
            </span>
            <span className="cell-actions">
              <IconButton
                icon="plus"
                label={texts.secrets.addTo(row.key, environment)}
                tabIndex={tabIndex}
                onClick={act('edit')}
              />
            </span>
          </>
        )}
      </div>
    </td>
  );
});
