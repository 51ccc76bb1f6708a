import { classNames } from './class-names.ts';
import styles from './spinner.module.css';

/** A turning ring; with words it is announced, without it is decoration. */
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
