import { useId, type ReactNode } from 'react';
import { Card } from '../../shared/ui/card.tsx';
import styles from './register.module.css';

interface GroupProps {
  title: string;
  hint?: string;
  children?: ReactNode;
}

/** A titled part of the long form. */
export function Group({ title, hint, children }: GroupProps) {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id} className={styles.group}>
      <div>
        <h2 id={id} className={styles.groupTitle}>
          {title}
        </h2>
        {hint && <p className={styles.hint}>{hint}</p>}
      </div>
      {children}
    </Card>
  );
}
