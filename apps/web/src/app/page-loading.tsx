import { LoadingState } from '../shared/ui/page-states.tsx';
import styles from './page-loading.module.css';

/** Where a page will be, while it is fetched. */
export function PageLoading() {
  return (
    <div className={styles.loading}>
      <LoadingState />
    </div>
  );
}
