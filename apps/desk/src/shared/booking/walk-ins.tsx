import type { ApiFreeTime } from '@clinic/contract';
import { formatTime } from '@clinic/domain';
import { useId } from 'react';
import { moveByArrows } from '../arrows.ts';
import { t } from '../words.ts';
import type { Place } from './booking-data.ts';
import styles from './booking.module.css';
import { minutesOf } from './shown-time.ts';

interface WalkInsProps {
  walkIns: readonly ApiFreeTime[];
  nameOf: (providerId: string) => string;
  /** What a press books. */
  about: string;
  onPress: (place: Place) => void;
}

/** When each provider who works now can see somebody who is here. One press books it: the patient waits. */
export function WalkIns({ walkIns, nameOf, about, onPress }: WalkInsProps) {
  const titleId = useId();
  return (
    <section className={styles.stack} aria-labelledby={titleId}>
      <h3 id={titleId}>{t('desk.walkIns')}</h3>
      <p className={styles.soft}>{about}</p>
      <ul className={styles.times} aria-labelledby={titleId} onKeyDown={moveByArrows}>
        {walkIns.map((time) => {
          const { doctor, start } = time;
          return (
            <li key={doctor}>
              <button
                type="button"
                className={styles.choice}
                data-choice=""
                data-acts-on={`${doctor} ${start}`}
                onClick={() =>
                  // A walk-in patient pays at the clinic.
                  onPress({
                    providerId: doctor,
                    start,
                    overrideReason: 'walkIn',
                    feeBy: 'clinic',
                  })
                }
              >
                <b>{formatTime(start)}</b>
                <span>{nameOf(doctor)}</span>
                <span className={styles.soft}>
                  {t('desk.minutesLong', { minutes: minutesOf(time) })}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
