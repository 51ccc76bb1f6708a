import styles from './date-block.module.css';

interface DateBlockProps {
  weekday: string;
  day: string;
  month: string;
  year: string | null;
}

/** Weekday, day and month at a glance; the card says the same in words. */
export function DateBlock({ weekday, day, month, year }: DateBlockProps) {
  return (
    <div className={styles.block} aria-hidden="true">
      <span className={styles.weekday}>{weekday}</span>
      <span className={styles.day}>{day}</span>
      <span className={styles.month}>{year === null ? month : `${month} ${year}`}</span>
    </div>
  );
}
