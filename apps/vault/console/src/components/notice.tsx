import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';

const icons: Readonly<Record<NoticeKind, IconName>> = {
  plain: 'help',
  good: 'check',
  warn: 'alert',
  bad: 'alert',
};

type NoticeKind = 'plain' | 'good' | 'warn' | 'bad';

export interface NoticeProps {
  readonly kind?: NoticeKind;
  readonly title?: string;
  /** It came up by itself: screen readers read it out. */
  readonly live?: boolean;
  readonly children?: ReactNode;
}

export function Notice({ kind = 'plain', title, live = false, children }: NoticeProps) {
  return (
    <div className={`notice notice-${kind}`} role={live ? 'alert' : undefined}>
      <Icon name={icons[kind]} />
      <div className="stack-tight">
        {title && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  );
}
