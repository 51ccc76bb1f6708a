import type { ReactNode } from 'react';
import { Notice } from './notice.tsx';

interface ActionOutcomeProps {
  /** Must change with every press, so that the outcome takes the focus again. */
  press: number;
  kind?: 'good' | 'caution' | 'danger';
  title?: ReactNode;
  /** When empty, nothing is shown. */
  children: ReactNode;
}

/**
 * The outcome of a press, shown beside the pressed button. It is announced, focused and so scrolled into
 * view.
 */
export function ActionOutcome({ press, kind = 'danger', title, children }: ActionOutcomeProps) {
  if (children === null || children === undefined || children === false) return null;
  return (
    <Notice key={press} kind={kind} title={title} role="alert">
      {typeof children === 'string' ? <p>{children}</p> : children}
    </Notice>
  );
}
