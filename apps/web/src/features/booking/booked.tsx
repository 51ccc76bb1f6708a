import { changeSentences } from '@clinic/contract/change-texts';
import {
  allowedChanges,
  calendarFile,
  doctorName,
  formatAppointment,
  formatFee,
  appointmentMode,
  calendarUid,
} from '@clinic/domain';
import { CalendarPlus, CircleCheck } from 'lucide-react';
import { useCallback, useState } from 'react';
import { t } from '../../messages/t.ts';
import { appointmentFromApi } from '../../shared/api/appointments.ts';
import { clinicNow } from '../../shared/api/clock.ts';
import { Button, ButtonLink } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { doctorOf, typeOf, type BookingData } from './booking-data.ts';
import styles from './booked.module.css';
import type { BookedVisit } from './booking-draft.ts';
import type { OpenJourney } from './journey.ts';

interface BookedProps {
  data: BookingData;
  visit: BookedVisit;
  send: OpenJourney['send'];
}

export function bookedTitle({ outcome }: BookedVisit): string {
  return t(`booking.${outcome}`);
}

/** The end: the visit in one sentence, what next, and the way out. */
export function Booked({ data, visit, send }: BookedProps) {
  const type = typeOf(data, visit.type);
  const doctor = doctorName(doctorOf(data, visit.slot.doctor));
  const when = formatAppointment(visit.slot.start);
  const mode = modeOf(visit);
  return (
    <>
      {visit.oldVisitStands && (
        <Notice kind="danger" role="alert" unasked>
          <p>{t('booking.oldNotCancelled')}</p>
        </Notice>
      )}
      <Card className={styles.card}>
        <CircleCheck size={64} strokeWidth={1.75} className={styles.check} aria-hidden="true" />
        <p className={styles.sentence}>
          {t('booking.bookedText', { description: type.description, doctor, when })}
        </p>
        {visit.receipt && <p>{receiptWords(visit.receipt)}</p>}
        <p>{t('booking.bookedMail', { email: data.user.email })}</p>
        <CalendarLink data={data} visit={visit} />
      </Card>
      <section className={styles.next}>
        <h2 className={styles.heading}>{t('booking.whatNext')}</h2>
        <ul className={styles.list}>
          <li>{t('booking.nextMail')}</li>
          {mode === 'phone' && <li>{t('booking.nextPhone')}</li>}
          {mode === 'clinic' && (
            <>
              <li>{t('booking.nextEarly')}</li>
              <li>{t('booking.nextBring')}</li>
            </>
          )}
          {changesOf(visit).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </section>
      <div className={styles.actions}>
        <Button onClick={() => send({ type: 'reset' })}>{t('booking.returnHome')}</Button>
        <ButtonLink variant="secondary" to="/appointments">
          {t('booking.toAppointments')}
        </ButtonLink>
      </div>
    </>
  );
}

/** What the patient asked for where the type leaves it open; unknown, neither way is told. */
const modeOf = ({ type, appointment }: BookedVisit) =>
  appointmentMode(type, appointment?.contactPreference ?? null);

function locationOf(mode: ReturnType<typeof appointmentMode>, address: string): string {
  if (mode === 'either') return '';
  return mode === 'phone' ? t('booking.byPhone') : address;
}

function changesOf({ appointment }: BookedVisit): string[] {
  if (appointment === null) return [];
  const changes = allowedChanges(appointmentFromApi(appointment), clinicNow());
  return changeSentences(changes, formatAppointment);
}

function receiptWords({ cents, reference }: NonNullable<BookedVisit['receipt']>): string {
  const fee = formatFee(cents);
  return reference === null ? t('pay.receipt', { fee }) : t('pay.receiptOf', { fee, reference });
}

function CalendarLink({ data: { config }, visit }: Pick<BookedProps, 'data' | 'visit'>) {
  const [writtenAt] = useState(clinicNow);
  const file = calendarFile({
    method: 'PUBLISH',
    uid: calendarUid(visit.bookingNumber),
    sequence: visit.appointment?.sequence ?? 0,
    start: visit.slot.start,
    end: visit.slot.end,
    writtenAt,
    summary: t('booking.calendarSummary', { clinic: config?.clinicName ?? '' }),
    description: t('booking.calendarText', {
      when: formatAppointment(visit.slot.start),
      phone: config?.clinicPhone ?? '',
      email: config?.clinicEmail ?? '',
    }),
    location: locationOf(modeOf(visit), config?.clinicAddress ?? ''),
    organizer: { name: config?.clinicName ?? '', email: config?.clinicEmail ?? '' },
  });

  const offer = useCallback(
    (link: HTMLAnchorElement) => {
      link.href = URL.createObjectURL(new Blob([file], { type: 'text/calendar;charset=utf-8' }));
      return () => URL.revokeObjectURL(link.href);
    },
    [file],
  );

  return (
    <a ref={offer} className={styles.calendar} href="/" download="appointment.ics">
      <CalendarPlus size={20} aria-hidden="true" />
      {t('booking.addToCalendar')}
    </a>
  );
}
