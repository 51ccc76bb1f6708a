import { changeWords } from '@clinic/contract/change-texts';
import { allowedChanges, formatAppointment, formatFee, toClinic } from '@clinic/domain';
import type { ApiDoctor } from '@clinic/contract';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { useId } from 'react';
import { t } from '../../messages/t.ts';
import { clinicNow } from '../../api/clock.ts';
import styles from './appointment-card.module.css';
import { dateBlock, doctorWords, whenWords, type ListedAppointment } from './listed-appointment.ts';

interface AppointmentCardProps {
  appointment: ListedAppointment;
  doctors: readonly ApiDoctor[];
  /** Upcoming appointments only. */
  actions?: {
    readonly onCancel: (appointment: ListedAppointment) => void;
    readonly onReschedule: (appointment: ListedAppointment) => void;
  };
}

/** One appointment: when, what, with whom, and what can still be done about it. */
export function AppointmentCard({ appointment, doctors, actions }: AppointmentCardProps) {
  const id = useId();
  const { api } = appointment;
  const thisYear = toClinic(clinicNow()).date.slice(0, 4);
  return (
    <Card as="li" className={styles.card}>
      <DateBlock {...dateBlock(api, thisYear)} />
      <div className={styles.words}>
        <h3 id={`${id}-what`} className={styles.what}>
          {api.description}
        </h3>
        <p id={`${id}-when`} className={styles.when}>
          {whenWords(api)}
        </p>
        <p>{doctorWords(api, doctors)}</p>
        <Details appointment={appointment} />
      </div>
      {actions && (
        <Actions appointment={appointment} about={`${id}-what ${id}-when`} {...actions} />
      )}
    </Card>
  );
}

function Details({ appointment: { api, paidCents } }: { appointment: ListedAppointment }) {
  const state = stateWords(api.status);
  return (
    <>
      {(api.checkin !== null || paidCents > 0) && (
        <dl className={styles.details}>
          {api.checkin !== null && (
            <div>
              <dt>{t('appointments.code')}</dt>
              <dd className={styles.code}>{api.checkin}</dd>
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

function stateWords(status: ListedAppointment['api']['status']): string | null {
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
  appointment: ListedAppointment;
  /** Ids of the words that tell a screen reader which appointment the buttons are about. */
  about: string;
  onCancel: (appointment: ListedAppointment) => void;
  onReschedule: (appointment: ListedAppointment) => void;
}

/** Cancel is struck through with its reason where it is refused; Reschedule then is absent. */
function Actions({ appointment, about, onCancel, onReschedule }: ActionsProps) {
  const reason = useId();
  const changes = allowedChanges(appointment, clinicNow());
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
          onClick={() => onReschedule(appointment)}
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
        onClick={() => onCancel(appointment)}
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
