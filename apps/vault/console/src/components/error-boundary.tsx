import { Component, type ReactNode } from 'react';
import { texts } from '../texts.js';
import { Button } from './button.js';
import { EmptyState } from './empty-state.js';

export interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** Around everything, its words are all that there is. */
  readonly outermost?: boolean;
}

/** The last net: a fault of the page itself becomes words and a way on, not a white page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    const words = (
      <EmptyState icon="alert" title={texts.problems.unexpected}>
        <p>{texts.problems.unexpectedDetail}</p>
        <Button look="primary" onClick={() => location.reload()}>
          {texts.common.retry}
        </Button>
      </EmptyState>
    );
    return this.props.outermost ? <main>{words}</main> : <div className="panel">{words}</div>;
  }
}
