import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { focusByPress } from './focus.ts';
import styles from './notice.module.css';
import { isLastPressAnAct } from './presses.ts';

interface NoticeProps {
  kind?: 'info' | 'good' | 'caution' | 'danger';
  title?: ReactNode;
  children: ReactNode;
  /** Use 'alert' for the outcome of a press: announced, focused and so scrolled into view. */
  role?: 'alert' | 'status' | 'note';
  /** For an alert that the user did not cause: it is announced and does not take the focus. */
  unasked?: boolean;
  className?: string;
}

const icons = { info: Info, good: CircleCheck, caution: TriangleAlert, danger: CircleAlert };

/**
 * Scrolls so that the notice is read from its top, even when it is taller than the window. Whoever has pressed
 * something else since keeps the focus there, and hears the notice.
 */
function takeFocus(box: HTMLElement | null): void {
  if (!isLastPressAnAct()) return;
  focusByPress(box, { preventScroll: true });
  box?.scrollIntoView?.({ block: 'nearest' });
}

/** A framed message that is part of the page and stays. */
export function Notice({
  kind = 'info',
  title,
  children,
  role = 'note',
  unasked = false,
  className,
}: NoticeProps) {
  const isOutcome = role === 'alert' && !unasked;
  const Icon = icons[kind];
  return (
    <div
      ref={isOutcome ? takeFocus : undefined}
      className={classNames(styles.notice, styles[kind], className)}
      role={role}
      tabIndex={isOutcome ? -1 : undefined}
    >
      <Icon size={22} aria-hidden="true" />
      <div className={styles.words}>
        {title && <p className={styles.title}>{title}</p>}
        {children}
      </div>
    </div>
  );
}
