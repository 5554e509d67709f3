import { type ReactNode, useEffect } from 'react';
import { texts } from '../texts.js';

export interface PageHeadProps {
  readonly title: string;
  readonly about?: string;
  readonly children?: ReactNode;
}

/** The page's one heading. The window's title repeats it; neither ever holds a secret. */
export function PageHead({ title, about, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  return (
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {about && <p>{about}</p>}
      </div>
      {children && <div className="row">{children}</div>}
    </header>
  );
}
