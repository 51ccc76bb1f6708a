import { LoadingState } from '@clinic/ui/page-states';
import styles from '../shared/app.module.css';
import { MissingPart, later } from '../shared/later.tsx';

/** Every page but the day sheet: together they are one file. */
export const OtherPage = later(
  async () => (await import('./other-page.tsx')).OtherPage,
  MissingPage,
);

/** Stands where a page will, while its code is fetched. */
export function LoadingPage() {
  return (
    <main id="main" className={styles.main}>
      <LoadingState />
    </main>
  );
}

/** Stands where the code of a page is missing. */
export function MissingPage() {
  return (
    <main id="main" className={styles.main}>
      <MissingPart title="h1" />
    </main>
  );
}
