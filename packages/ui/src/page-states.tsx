import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './page-states.module.css';
import { Spinner } from './spinner.tsx';
import { useWords } from './words.tsx';
import { classNames } from './class-names.ts';

interface EmptyStateProps {
  children: ReactNode;
  action?: ReactNode;
}

/** Says that there is nothing, and may offer the next step. */
export function EmptyState({ children, action }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <p>{children}</p>
      {action}
    </div>
  );
}

interface FailedStateProps {
  children?: ReactNode;
  onRetry: () => void;
  busy?: boolean;
}

/** Something could not be loaded, with a way to try again. */
export function FailedState({ children, onRetry, busy = false }: FailedStateProps) {
  const words = useWords();
  return (
    <div className={styles.state} role="alert">
      <p>{children ?? words.failed}</p>
      <Button
        variant="secondary"
        icon={<RotateCw size={18} aria-hidden="true" />}
        busy={busy}
        onClick={onRetry}
      >
        {words.tryAgain}
      </Button>
    </div>
  );
}

/** For a page or a part of one that is loading. */
export function LoadingState({ label }: { label?: string }) {
  const words = useWords();
  return (
    <div className={styles.loading}>
      <Spinner label={label ?? words.loading} />
      <Skeleton shape="card" count={3} />
    </div>
  );
}

interface SkeletonProps {
  shape?: 'line' | 'heading' | 'chip' | 'card';
  count?: number;
}

/** Grey placeholders for content that is loading. Hidden from screen readers, so show words as well. */
export function Skeleton({ shape = 'line', count = 1 }: SkeletonProps) {
  return Array.from({ length: count }, (_, index) => (
    <span key={index} aria-hidden="true" className={classNames(styles.skeleton, styles[shape])} />
  ));
}
