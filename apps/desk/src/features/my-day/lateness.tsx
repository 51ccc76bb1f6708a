import { Button } from '@clinic/ui/button';
import { useId } from 'react';
import { ask } from '../../shared/api.ts';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import { t } from '../../shared/words.ts';
import styles from './my-day.module.css';
import { OWN_DAY } from './own-data.ts';

const OFFERED = [0, 10, 20, 30, 45, 60];

const lateText = (n: number) => (n === 0 ? t('desk.own.onTime') : t('desk.own.minLate', { n }));

/** Says to the front desk how late one is. */
export function Lateness({ minutes }: { minutes: number }) {
  const titleId = useId();
  const [said, sayIt] = useSaid();
  const say = useAction({
    work: (n: number) => ask('deskSayLate', { body: { minutes: n } }),
    onDone: (_, n) => sayIt(n === 0 ? t('desk.own.onTimeSaid') : t('desk.own.lateSaid', { n })),
    shows: [OWN_DAY],
  });
  return (
    <div className={styles.lateness}>
      <p id={titleId}>{t('desk.own.forDesk')}</p>
      <div role="group" aria-labelledby={titleId} className={styles.choices}>
        {OFFERED.map((n) => (
          <Button
            key={n}
            variant="secondary"
            aria-pressed={n === minutes}
            busy={say.pending && say.input === n}
            onClick={() => say.run(n)}
          >
            {lateText(n)}
          </Button>
        ))}
      </div>
      <Outcome of={say} />
      {said}
    </div>
  );
}
