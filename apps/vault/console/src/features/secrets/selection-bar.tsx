import { Button } from '../../components/button.js';
import { texts } from '../../texts.js';

export interface SelectionBarProps {
  readonly selected: number;
  /** How many of those are not in the grid now: in another folder, or not found by the search. */
  readonly hidden: number;
  /** How many keys are in the grid now. */
  readonly shown: number;
  readonly onMove: () => void;
  readonly onAll: () => void;
  readonly onDone: () => void;
}

const { move: words } = texts;

/** What can be done with the keys that are marked. */
export function SelectionBar({ selected, hidden, shown, onMove, onAll, onDone }: SelectionBarProps) {
  return (
    <div className="row">
      <span role="status">{words.selected(selected, hidden)}</span>
      <Button small look="primary" icon="folder" disabled={selected === 0} onClick={onMove}>
        {words.open}
      </Button>
      <Button small onClick={onAll}>
        {words.all(shown)}
      </Button>
      <Button small onClick={onDone}>
        {words.done}
      </Button>
    </div>
  );
}
