import { formatTime } from '@clinic/domain';
import { t } from '../../messages/t.ts';
import { VisuallyHidden } from '../../shared/ui/visually-hidden.tsx';
import type { HoldState } from './hold-state.ts';
import styles from './held-until.module.css';

/** The last minutes in which the patient is told aloud. */
const SOON_SECONDS = 120;

/** Until when the time is held, with what is left of it; read out only when it gets short. */
export function HeldUntil({ state }: { state: HoldState }) {
  if (state.kind === 'asking') return <span className={styles.soft}>{t('ui.loading')}</span>;
  if (state.kind === 'lapsed') return <span>{t('booking.noLongerHeld')}</span>;
  const { until, secondsLeft } = state;
  return (
    <>
      <span>{t('booking.untilTime', { time: formatTime(until) })}</span>
      <span className={styles.soft} aria-hidden="true">
        {t('booking.heldLeft', {
          minutes: Math.floor(secondsLeft / 60),
          seconds: String(secondsLeft % 60).padStart(2, '0'),
        })}
      </span>
      <VisuallyHidden>
        <span role="status">
          {secondsLeft <= SOON_SECONDS &&
            t('booking.heldSoon', { minutes: Math.floor(secondsLeft / 60) })}
        </span>
      </VisuallyHidden>
    </>
  );
}
