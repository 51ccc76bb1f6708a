import { classNames } from './class-names.ts';
import styles from './spinner.module.css';

/** A turning ring. With a label it is announced, without one it is decoration. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  const ring = <span className={styles.ring} aria-hidden="true" />;
  if (label === undefined) return ring;
  return (
    <p className={classNames(styles.spinner, className)} role="status">
      {ring}
      <span>{label}</span>
    </p>
  );
}
