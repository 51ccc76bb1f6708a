import type { ReactNode } from 'react';
import { Notice } from './notice.tsx';

interface ActionOutcomeProps {
  /** Another one for every press: the outcome then takes the focus again. */
  press: number;
  kind?: 'good' | 'caution' | 'danger';
  title?: ReactNode;
  /** Without words there is nothing to tell. */
  children: ReactNode;
}

/**
 * What came of a press, right beside the button that was pressed: said at once, focused and so in
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
