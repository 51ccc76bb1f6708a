import { later } from '@clinic/app/later';
import { LoadingState } from '@clinic/ui/page-states';
import type { ComponentType } from 'react';
import styles from '../shared/app.module.css';
import { MissingPart } from '../shared/missing-part.tsx';

/** A page whose code is fetched when it is first shown. */
export const laterPage = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  later(load, { waiting: <LoadingPage />, Missing: MissingPage });

/** Every page but the day sheet: together they are one file. */
export const OtherPage = laterPage(async () => (await import('./other-page.tsx')).OtherPage);

function LoadingPage() {
  return (
    <main id="main" className={styles.main}>
      <LoadingState />
    </main>
  );
}

function MissingPage() {
  return (
    <main id="main" className={styles.main}>
      <MissingPart title="h1" />
    </main>
  );
}
