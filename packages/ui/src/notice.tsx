import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './notice.module.css';

interface NoticeProps {
  kind?: 'info' | 'good' | 'caution' | 'danger';
  title?: ReactNode;
  children: ReactNode;
  /** 'alert' is what came of something that was pressed: said, focused, and so in view. */
  role?: 'alert' | 'status' | 'note';
  /** An alert that nobody pressed for: it is said, and the focus stays where it is. */
  unasked?: boolean;
  className?: string;
}

const icons = { info: Info, good: CircleCheck, caution: TriangleAlert, danger: CircleAlert };

/** A framed message that belongs to the page and stays. */
export function Notice({
  kind = 'info',
  title,
  children,
  role = 'note',
  unasked = false,
  className,
}: NoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  const isOutcome = role === 'alert' && !unasked;
  useEffect(() => {
    if (!isOutcome) return;
    // Read from its beginning, also where it is taller than the window.
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isOutcome]);
  const Icon = icons[kind];
  return (
    <div
      ref={box}
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
