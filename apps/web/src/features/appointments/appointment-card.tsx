import { formatMoment, formatMoney } from '@clinic/texts';
import { changeWords } from '@clinic/contract/change-texts';
import { isEditable, allowedChanges, keyOfHold, toClinic } from '@clinic/domain';
import { useQueryClient } from '@tanstack/react-query';
import type { ApiDoctor } from '@clinic/contract';
import type { EpochSeconds } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { focusIfLost } from '@clinic/ui/focus';
import { useId, useRef } from 'react';
import { Link } from 'wouter';
import { locale, t } from '../../messages/t.ts';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { appointmentsQuery } from '../../api/appointments.ts';
import { request } from '../../api/service.ts';
import { TypeName } from '../../shared/clinic-words.tsx';
import { announce } from '../../shared/shell/alerts.tsx';
import { useAction } from '../../shared/use-action.ts';
import styles from './appointment-card.module.css';
import {
  dateBlock,
  doctorWords,
  lastingWords,
  OPENED,
  receiptAddress,
  whenWords,
  type ListedAppointment,
} from './listed-appointment.ts';

interface AppointmentCardProps {
  appointment: ListedAppointment;
  doctors: readonly ApiDoctor[];
  now: EpochSeconds;
  /** For upcoming appointments only. */
  actions?: {
    readonly onCancel: (appointment: ListedAppointment) => void;
    readonly onReschedule: (appointment: ListedAppointment) => void;
  };
}

/** One appointment: time, type, doctor, and what can still be changed. */
export function AppointmentCard({ appointment, doctors, now, actions }: AppointmentCardProps) {
  const id = useId();
  const { api } = appointment;
  const thisYear = toClinic(now).date.slice(0, 4);
  return (
    <Card as="li" className={styles.card} data-acts-on={`${api.id} ${api.startTime}`}>
      <DateBlock {...dateBlock(api, thisYear)} />
      <div className={styles.words}>
        <h3 id={`${id}-what`} className={styles.what}>
          <TypeName of={api} />
        </h3>
        <p id={`${id}-when`} className={styles.when}>
          {whenWords(api)}
        </p>
        {api.status !== 'cancelled' && <p className={styles.length}>{lastingWords(api)}</p>}
        <p translate="no">{doctorWords(api, doctors)}</p>
        <Details appointment={appointment} now={now} />
      </div>
      {actions && api.status === 'confirming' && (
        <GiveUp id={api.id} about={`${id}-what ${id}-when`} />
      )}
      {actions && api.status !== 'confirming' && (
        <Actions appointment={appointment} now={now} about={`${id}-what ${id}-when`} {...actions} />
      )}
    </Card>
  );
}

function Details({ appointment, now }: { appointment: ListedAppointment; now: EpochSeconds }) {
  const { api, paidNow } = appointment;
  const state = stateWords(appointment, now);
  return (
    <>
      {(api.checkin !== null || paidNow > 0) && (
        <dl className={styles.details}>
          {api.checkin !== null && (
            <div>
              <dt>{t('appointments.code')}</dt>
              <dd className={styles.code} translate="no">
                {api.checkin}
              </dd>
            </div>
          )}
          {paidNow > 0 && (
            <div>
              <dt>{t('appointments.feePaid')}</dt>
              <dd>
                {formatMoney(locale(), paidNow)}
                {api.receipt && (
                  <Link to={receiptAddress(api.id)} state={OPENED} className={styles.receipt}>
                    {t('appointments.receipt')}
                  </Link>
                )}
              </dd>
            </div>
          )}
        </dl>
      )}
      {state !== null && <p className={styles.state}>{state}</p>}
      {appointment.movedByClinic && isEditable(appointment, now) && (
        <p className={styles.state}>
          {t('appointments.movedByClinic')}{' '}
          {changeWords(locale(), allowedChanges(appointment, now)).cancel}
        </p>
      )}
    </>
  );
}

function stateWords(appointment: ListedAppointment, now: EpochSeconds): string | null {
  const { status, movedTo } = appointment.api;
  if (movedTo)
    return t('appointments.movedTo', { when: formatMoment(locale(), movedTo.startTime) });
  switch (status) {
    case 'registered':
      return isEditable(appointment, now) ? t('appointments.status.registered') : null;
    case 'confirming':
    case 'cancelling':
    case 'rescheduled':
    case 'no-show':
      return t(`appointments.status.${status}`);
    default:
      return null;
  }
}

interface ActionsProps {
  appointment: ListedAppointment;
  now: EpochSeconds;
  /** Ids of the elements that tell a screen reader which appointment the buttons belong to. */
  about: string;
  onCancel: (appointment: ListedAppointment) => void;
  onReschedule: (appointment: ListedAppointment) => void;
}

/** Where a change is refused, Cancel is struck through and Reschedule absent; the card says why. */
function Actions({ appointment, now, about, onCancel, onReschedule }: ActionsProps) {
  const id = useId();
  const changes = allowedChanges(appointment, now);
  const mayCancel = changes.cancel.allowed;
  const words = changeWords(locale(), changes);
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
        aria-describedby={mayCancel ? about : `${about} ${id}-cancel`}
        onClick={() => onCancel(appointment)}
      >
        {t('appointments.cancel')}
      </Button>
      {!mayCancel && (
        <p id={`${id}-cancel`} className={styles.reason}>
          {words.cancel}
        </p>
      )}
      {!changes.reschedule.allowed && <p className={styles.reason}>{words.reschedule}</p>}
    </div>
  );
}

/** gives up an appointment that the clinic is still confirming, or says why that failed. */
function GiveUp({ id, about }: { id: string; about: string }) {
  const queryClient = useQueryClient();
  const actions = useRef<HTMLDivElement>(null);
  const giveUp = useAction({
    work: async () => {
      const headers = { 'idempotency-key': keyOfHold(id) };
      await request('releaseHold', { headers, query: { confirming: 'true' } });
      // The clinic may have confirmed meanwhile; the appointment is then listed, with its buttons.
      void queryClient.invalidateQueries(appointmentsQuery({ all: true }));
      const now = await queryClient.fetchQuery({ ...appointmentsQuery(), staleTime: 0 });
      return !now.appointments.some((each) => each.id === id);
    },
    onDone: (isGone) => {
      if (!isGone) return;
      // The card disappears together with the pressed button.
      focusIfLost(document.querySelector('h1'), actions.current);
      announce('success', t('appointments.givenUp'));
    },
  });
  return (
    <div ref={actions} className={styles.actions}>
      <Button
        variant="quiet"
        wide
        busy={giveUp.pending}
        busyLabel={t('appointments.givingUp')}
        aria-describedby={about}
        onClick={() => giveUp.run()}
      >
        {t('appointments.giveUp')}
      </Button>
      <ActionOutcome press={giveUp.press} kind="caution">
        {giveUp.error &&
          (giveUp.error instanceof ApiError
            ? messageOf(giveUp.error, t('appointments.giveUpUnknown'))
            : t('appointments.giveUpUnknown'))}
      </ActionOutcome>
    </div>
  );
}

interface DateBlockProps {
  weekday: string;
  day: string;
  month: string;
  year: string | null;
}

/** Weekday, day and month at a glance; hidden from screen readers, as the card repeats the date in words. */
function DateBlock({ weekday, day, month, year }: DateBlockProps) {
  return (
    <div className={styles.block} aria-hidden="true">
      <span className={styles.weekday}>{weekday}</span>
      <span className={styles.day}>{day}</span>
      <span className={styles.month}>{year === null ? month : `${month} ${year}`}</span>
    </div>
  );
}
