import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { Icon, type IconName } from './icon.js';

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly danger?: boolean;
  readonly onSelect: () => void;
}

export interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly tabIndex?: number;
}

/** A button with three dots and what lies behind it; arrows move, Escape closes and gives focus back. */
export function Menu({ label, items, tabIndex }: MenuProps) {
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const menuId = useId();

  const show = () => {
    const element = menu.current;
    const box = trigger.current?.getBoundingClientRect();
    if (!element || !box) return;
    element.showPopover();
    const { offsetWidth, offsetHeight } = element;
    const below = box.bottom + 4;
    const top = below + offsetHeight > innerHeight ? Math.max(8, box.top - offsetHeight - 4) : below;
    element.style.top = `${top}px`;
    element.style.left = `${Math.max(8, Math.min(box.right - offsetWidth, innerWidth - offsetWidth - 8))}px`;
    element.querySelector('button')?.focus();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    event.stopPropagation();
    const buttons = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowDown: at + 1, ArrowUp: at - 1 + buttons.length, Home: 0, End: buttons.length - 1 }[
      event.key
    ];
    if (step !== undefined) {
      event.preventDefault();
      buttons[step % buttons.length]?.focus();
    }
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      menu.current?.hidePopover();
      trigger.current?.focus();
    }
  };

  return (
    <>
      <button
        ref={trigger}
        type="button"
        className="icon-button"
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={menuId}
        tabIndex={tabIndex}
        onClick={show}
      >
        <Icon name="dots" />
      </button>
      <div
        ref={menu}
        id={menuId}
        popover="auto"
        role="menu"
        aria-label={label}
        className="menu"
        tabIndex={-1}
        onToggle={(event) => setOpen(event.newState === 'open')}
        onKeyDown={onKeyDown}
      >
        {items.map((item) => (
          <button
            key={item.id}
            type="button"
            role="menuitem"
            className={item.danger ? 'menu-item menu-item-danger' : 'menu-item'}
            onClick={() => {
              menu.current?.hidePopover();
              trigger.current?.focus();
              item.onSelect();
            }}
          >
            {item.icon && <Icon name={item.icon} />}
            {item.label}
          </button>
        ))}
      </div>
    </>
  );
}
