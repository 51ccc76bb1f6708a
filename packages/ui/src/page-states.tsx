import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './page-states.module.css';
import { Skeleton } from './skeleton.tsx';
import { Spinner } from './spinner.tsx';
import { useWords } from './words.tsx';

interface EmptyStateProps {
  children: ReactNode;
  action?: ReactNode;
}

/** Nothing there, said plainly, perhaps with what to do next. */
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

/** A page or a part of it on its way. */
export function LoadingState({ label }: { label?: string }) {
  const words = useWords();
  return (
    <div className={styles.loading}>
      <Spinner label={label ?? words.loading} />
      <Skeleton shape="card" count={3} />
    </div>
  );
}
