import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.js';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet' | 'link';
  readonly small?: boolean;
  readonly icon?: IconName;
  /** Work is under way: the button stays focusable and says so. */
  readonly busy?: boolean;
}

export function Button({
  look = 'plain',
  small = false,
  icon,
  busy = false,
  children,
  ...rest
}: ButtonProps) {
  const names = ['button', look === 'plain' ? '' : `button-${look}`, small ? 'button-small' : ''];
  return (
    <button
      type="button"
      {...rest}
      className={names.filter(Boolean).join(' ')}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  readonly icon: IconName;
  readonly label: string;
}

/** A button without words: its label is for screen readers, and a tooltip for everybody else. */
export function IconButton({ icon, label, ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} aria-label={label} {...rest} className="icon-button">
      <Icon name={icon} />
    </button>
  );
}
