import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './notice.module.css';

interface NoticeProps {
  kind?: 'info' | 'good' | 'caution' | 'danger';
  title?: ReactNode;
  children: ReactNode;
  /** 'alert' when it appears in answer to something that the patient did. */
  role?: 'alert' | 'status' | 'note';
  className?: string;
}

const icons = { info: Info, good: CircleCheck, caution: TriangleAlert, danger: CircleAlert };

/** A framed message that belongs to the page and stays. */
export function Notice({ kind = 'info', title, children, role = 'note', className }: NoticeProps) {
  const Icon = icons[kind];
  return (
    <div className={classNames(styles.notice, styles[kind], className)} role={role}>
      <Icon size={22} aria-hidden="true" />
      <div className={styles.words}>
        {title && <p className={styles.title}>{title}</p>}
        {children}
      </div>
    </div>
  );
}
