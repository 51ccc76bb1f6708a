import { changeWords } from '@clinic/contract/change-texts';
import { allowedChanges, formatAppointment, formatFee, toClinic } from '@clinic/domain';
import type { ApiDoctor } from '@clinic/contract';
import { useId } from 'react';
import { t } from '../../messages/t.ts';
import { clinicNow } from '../../shared/api/clock.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import styles from './visit-card.module.css';
import { dateBlock, doctorWords, whenWords, type Visit } from './visit.ts';

interface VisitCardProps {
  visit: Visit;
  doctors: readonly ApiDoctor[];
  /** Upcoming visits only. */
  actions?: {
    readonly onCancel: (visit: Visit) => void;
    readonly onReschedule: (visit: Visit) => void;
  };
}

/** One visit: when, what, with whom, and what can still be done about it. */
export function VisitCard({ visit, doctors, actions }: VisitCardProps) {
  const id = useId();
  const { wire } = visit;
  const thisYear = toClinic(clinicNow()).date.slice(0, 4);
  return (
    <Card as="li" className={styles.card}>
      <DateBlock {...dateBlock(wire, thisYear)} />
      <div className={styles.words}>
        <h3 id={`${id}-what`} className={styles.what}>
          {wire.description}
        </h3>
        <p id={`${id}-when`} className={styles.when}>
          {whenWords(wire)}
        </p>
        <p>{doctorWords(wire, doctors)}</p>
        <Details visit={visit} />
      </div>
      {actions && <Actions visit={visit} about={`${id}-what ${id}-when`} {...actions} />}
    </Card>
  );
}

function Details({ visit: { wire, paidCents } }: { visit: Visit }) {
  const state = stateWords(wire.status);
  return (
    <>
      {(wire.checkin !== null || paidCents > 0) && (
        <dl className={styles.details}>
          {wire.checkin !== null && (
            <div>
              <dt>{t('appointments.code')}</dt>
              <dd className={styles.code}>{wire.checkin}</dd>
            </div>
          )}
          {paidCents > 0 && (
            <div>
              <dt>{t('appointments.feePaid')}</dt>
              <dd>{formatFee(paidCents)}</dd>
            </div>
          )}
        </dl>
      )}
      {state !== null && <p className={styles.state}>{state}</p>}
    </>
  );
}

function stateWords(status: Visit['wire']['status']): string | null {
  switch (status) {
    case 'registered':
    case 'rescheduled':
    case 'no-show':
      return t(`appointments.status.${status}`);
    default:
      return null;
  }
}

interface ActionsProps {
  visit: Visit;
  /** Ids of the words that tell a screen reader which visit the buttons are about. */
  about: string;
  onCancel: (visit: Visit) => void;
  onReschedule: (visit: Visit) => void;
}

/** Cancel is struck through with its reason where it is refused; Reschedule then is absent. */
function Actions({ visit, about, onCancel, onReschedule }: ActionsProps) {
  const reason = useId();
  const changes = allowedChanges(visit, clinicNow());
  const mayCancel = changes.cancel.allowed;
  const words = changeWords(changes, formatAppointment);
  if (words.cancel === null) return null;
  return (
    <div className={styles.actions}>
      {changes.reschedule.allowed && (
        <Button
          variant="secondary"
          wide
          aria-describedby={about}
          onClick={() => onReschedule(visit)}
        >
          {t('appointments.reschedule')}
        </Button>
      )}
      <Button
        variant="secondary"
        wide
        className={mayCancel ? undefined : styles.struck}
        disabled={!mayCancel}
        aria-describedby={mayCancel ? about : `${about} ${reason}`}
        onClick={() => onCancel(visit)}
      >
        {t('appointments.cancel')}
      </Button>
      {!mayCancel && (
        <p id={reason} className={styles.reason}>
          {words.cancel}
        </p>
      )}
    </div>
  );
}

interface DateBlockProps {
  weekday: string;
  day: string;
  month: string;
  year: string | null;
}

/** Weekday, day and month at a glance; the card says the same in words. */
function DateBlock({ weekday, day, month, year }: DateBlockProps) {
  return (
    <div className={styles.block} aria-hidden="true">
      <span className={styles.weekday}>{weekday}</span>
      <span className={styles.day}>{day}</span>
      <span className={styles.month}>{year === null ? month : `${month} ${year}`}</span>
    </div>
  );
}
