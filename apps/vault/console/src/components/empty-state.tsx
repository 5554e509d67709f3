import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';

export interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
}

/** Nothing is here yet: what belongs here, and how to begin. */
export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}
