import type { ReactNode } from 'react';
import { texts } from '../texts.js';
import { Icon, type IconName } from './icon.js';

export interface FrontPageProps {
  readonly headline: string;
  readonly points: readonly { readonly icon: IconName; readonly text: string }[];
  /** What there is to do here. */
  readonly children: ReactNode;
}

/** Before one is in: what this is, and the one thing to do. */
export function FrontPage({ headline, points, children }: FrontPageProps) {
  return (
    <div className="front">
      <header className="front-story">
        <div className="row">
          <img src="/hearth.svg" width="40" height="40" alt="" />
          <strong>{texts.product}</strong>
        </div>
        <h1>{headline}</h1>
        <ul className="stack">
          {points.map(({ icon, text }) => (
            <li key={text}>
              <Icon name={icon} />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </header>
      <main className="front-form">
        <div className="front-card">{children}</div>
      </main>
    </div>
  );
}
