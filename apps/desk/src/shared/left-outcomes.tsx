import { createStore, useStore } from '@clinic/app/store';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { Link } from 'wouter';
import styles from './app.module.css';
import { t } from './words.ts';

/** What came of an act whose page had been left. */
interface LeftOutcome {
  readonly says: string;
  /** Where it was asked for, below the front desk's own path. */
  readonly page: string;
}

// Module state, as what tells of an act outlives its page.
const outcomes = createStore<readonly LeftOutcome[]>([]);

/** The page that is open, to be compared once an act has ended. */
export const openPage = (): string => `${location.pathname}${location.search}`;

/** Keeps what is to be told of an act that was asked for on another page than the open one. */
export function tellIfLeft(page: string, says: string): void {
  if (page.split('?')[0] === location.pathname) return;
  outcomes.set([...outcomes.get(), { says, page: page.replace(/^\/desk/, '') }]);
}

/** Called when the session ends, so that nobody else reads it. */
export const forgetLeft = (): void => outcomes.set([]);

/** Says, on whatever page, what has failed, or is not known, of what was asked for on another. */
export function LeftOutcomes() {
  const shown = useStore(outcomes);
  return (
    <div role="log" aria-label={t('desk.left')} className={styles.left}>
      {shown.length > 0 && (
        <Notice kind="caution" title={t('desk.left')}>
          {shown.map(({ says, page }, at) => (
            <p key={`${at} ${page}`}>
              {says} <Link href={page}>{t('desk.leftBack')}</Link>
            </p>
          ))}
          <Button variant="quiet" onClick={forgetLeft}>
            {t('desk.leftRead')}
          </Button>
        </Notice>
      )}
    </div>
  );
}
