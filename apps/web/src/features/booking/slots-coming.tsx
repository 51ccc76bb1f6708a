import { t } from '../../messages/t.ts';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import styles from './slots-coming.module.css';

/** Skeleton chips where the times will be, with the specification's words. */
export function SlotsComing() {
  return (
    <div className={styles.coming}>
      <Spinner label={t('booking.patience')} />
      <div className={styles.chips}>
        <Skeleton shape="chip" count={24} />
      </div>
    </div>
  );
}
