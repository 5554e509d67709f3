import { useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../../components/icon.js';
import { texts } from '../../texts.js';
import { type Command, useCommands } from './use-commands.js';

export interface CommandPaletteProps {
  readonly onClose: () => void;
  readonly onShortcuts: () => void;
}

const mostShown = 40;

/** One field that finds pages, vaults, keys and things to do. The list follows the arrows; Enter does it. */
export function CommandPalette({ onClose, onShortcuts }: CommandPaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const listId = useId();
  const found = matching(useCommands(onShortcuts), text);

  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active, listId]);

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    // After the dialog has gone, so that focus given by the command stays where it puts it.
    setTimeout(command.run);
  };
  const move = (step: number) => setActive((at) => (at + step + found.length) % Math.max(found.length, 1));

  return (
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label={texts.palette.title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') onClose();
        else if (event.key === 'ArrowDown') move(1);
        else if (event.key === 'ArrowUp') move(-1);
        else if (event.key === 'Enter') run(found[active]);
        else return;
        event.preventDefault();
      }}
    >
      <input
        className="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found.length > 0 ? `${listId}-${active}` : undefined}
        aria-label={texts.palette.title}
        placeholder={texts.palette.placeholder}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
      />
      <div id={listId} role="listbox" aria-label={texts.palette.title} className="palette-list" tabIndex={-1}>
        {found.map((command, index) => (
          // Keys are read by the field above, which keeps the focus.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles them
          // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the combobox
          <div
            key={command.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            className="palette-option"
            onClick={() => run(command)}
            onPointerMove={() => setActive(index)}
          >
            <Icon name={command.icon} />
            <span>{command.label}</span>
            <span className="small soft">{texts.palette.groups[command.group]}</span>
          </div>
        ))}
      </div>
      <p role="status" className={found.length === 0 ? 'empty' : 'unseen'}>
        {found.length === 0 ? texts.palette.nothing : texts.palette.results(found.length)}
      </p>
    </dialog>
  );
}

/** Every word must occur; names that begin with the text come first. */
export function matching(commands: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  const first = words[0];
  if (first === undefined) return found.filter(({ group }) => group !== 'secrets').slice(0, mostShown);
  const rank = ({ label }: Command) => (label.toLowerCase().startsWith(first) ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, mostShown);
}
