import { LoadState } from '@clinic/app/outcome';
import { pathTo } from '@clinic/app/path-to';
import { type ClinicDate, addDays, deskPages, formatTime, mondayOf } from '@clinic/domain';
import { formatDay, formatFullDate } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { Section } from '../../shared/section.tsx';
import { locale, t } from '../../shared/words.ts';
import styles from './my-day.module.css';
import { ownDaysQuery } from './own-data.ts';

/** Whom a clinician sees in a week, each leading to the day sheet. */
export function OwnWeek({ monday, today }: { monday: ClinicDate; today: ClinicDate }) {
  const [, goTo] = useLocation();
  const week = useQuery(ownDaysQuery(monday, '7'));
  const go = (to: ClinicDate) => goTo(pathTo(deskPages.myDay, {}, { week: to }));
  return (
    <>
      <div className={styles.buttons}>
        <Button
          variant="secondary"
          icon={<ChevronLeft size={18} aria-hidden="true" />}
          onClick={() => go(addDays(monday, -7))}
        >
          {t('desk.own.earlierWeek')}
        </Button>
        <Button variant="secondary" onClick={() => go(mondayOf(today))}>
          {t('desk.own.thisWeek')}
        </Button>
        <Button
          variant="secondary"
          icon={<ChevronRight size={18} aria-hidden="true" />}
          onClick={() => go(addDays(monday, 7))}
        >
          {t('desk.own.laterWeek')}
        </Button>
      </div>
      <Section title={t('desk.own.weekOf', { day: formatFullDate(locale(), monday) })}>
        <LoadState of={week} />
        <div className={styles.week}>
          {week.data?.days.map(({ date, appointments }) => (
            <section key={date} aria-label={formatDay(locale(), date)}>
              <h3>
                <Link href={pathTo(deskPages.day, { date })}>{formatDay(locale(), date)}</Link>
              </h3>
              {appointments.length === 0 && (
                <p className={styles.soft}>{t('desk.own.noneOnDay')}</p>
              )}
              <ol>
                {appointments.map(({ id, start, patient, description, attendance }) => (
                  <li key={id}>
                    <span className={styles.time}>{formatTime(start)}</span>
                    <span>
                      <Link href={pathTo(deskPages.day, { date }, { appointment: id })}>
                        {patient}
                      </Link>
                      <br />
                      <span className={styles.soft}>
                        {description}
                        {attendance !== 'expected' && `, ${t(`desk.${attendance}`)}`}
                      </span>
                    </span>
                  </li>
                ))}
              </ol>
            </section>
          ))}
        </div>
      </Section>
    </>
  );
}
