import {
  calendarFile,
  doctorName,
  formatAppointment,
  formatFee,
  appointmentMode,
  calendarUid,
} from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { Notice } from '@clinic/ui/notice';
import { CalendarPlus, CircleCheck } from 'lucide-react';
import { useCallback, useState } from 'react';
import { t } from '../../../messages/t.ts';
import { changesOf } from '../../../api/appointments.ts';
import { clinicNow } from '../../../api/clock.ts';
import { ButtonLink } from '../../../shared/shell/button-link.tsx';
import outcome from '../outcome.module.css';
import { doctorOf, typeOf, type BookingData } from '../choose/booking-data.ts';
import styles from './booked.module.css';
import type { BookedAppointment, OpenJourney } from '../journey.ts';

interface BookedProps {
  data: BookingData;
  booked: BookedAppointment;
  send: OpenJourney['send'];
}

/** The end: the appointment in one sentence, what next, and the way out. */
export function Booked({ data, booked, send }: BookedProps) {
  const type = typeOf(data, booked.type);
  const doctor = doctorName(doctorOf(data, booked.slot.doctor));
  const when = formatAppointment(booked.slot.start);
  const mode = modeOf(booked);
  return (
    <>
      {booked.oldAppointmentStands && (
        <Notice kind="danger" role="alert" unasked>
          <p>{t('booking.oldNotCancelled')}</p>
        </Notice>
      )}
      <Card className={outcome.card}>
        <CircleCheck size={64} strokeWidth={1.75} className={outcome.check} aria-hidden="true" />
        <p className={outcome.sentence}>
          {t('booking.bookedText', { description: type.description, doctor, when })}
        </p>
        {booked.receipt && <p>{receiptWords(booked.receipt)}</p>}
        <p>{t('booking.bookedEmail', { email: data.user.email })}</p>
        <CalendarLink data={data} booked={booked} />
      </Card>
      <section className={outcome.next}>
        <h2 className={outcome.heading}>{t('booking.whatNext')}</h2>
        <ul className={outcome.list}>
          <li>{t('booking.nextEmail')}</li>
          {mode === 'phone' && <li>{t('booking.nextPhone')}</li>}
          {mode === 'clinic' && (
            <>
              <li>{t('booking.nextEarly')}</li>
              <li>{t('booking.nextBring')}</li>
            </>
          )}
          {whatCanChange(booked).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </section>
      <div className={outcome.actions}>
        <Button onClick={() => send({ type: 'reset' })}>{t('booking.returnHome')}</Button>
        <ButtonLink variant="secondary" to="/appointments">
          {t('booking.toAppointments')}
        </ButtonLink>
      </div>
    </>
  );
}

/** What the patient asked for where the type leaves it open; unknown, neither way is told. */
const modeOf = ({ type, appointment }: BookedAppointment) =>
  appointmentMode(type, appointment?.contactPreference ?? null);

function locationOf(mode: ReturnType<typeof appointmentMode>, address: string): string {
  if (mode === 'either') return '';
  return mode === 'phone' ? t('booking.byPhone') : address;
}

function whatCanChange({ appointment }: BookedAppointment): string[] {
  return appointment === null ? [] : changesOf(appointment);
}

function receiptWords({ cents, reference }: NonNullable<BookedAppointment['receipt']>): string {
  const fee = formatFee(cents);
  return reference === null ? t('pay.receipt', { fee }) : t('pay.receiptOf', { fee, reference });
}

function CalendarLink({ data: { config }, booked }: Pick<BookedProps, 'data' | 'booked'>) {
  const [writtenAt] = useState(clinicNow);
  const file = calendarFile({
    method: 'PUBLISH',
    uid: calendarUid(booked.bookingNumber),
    sequence: booked.appointment?.sequence ?? 0,
    start: booked.slot.start,
    end: booked.slot.end,
    writtenAt,
    summary: t('booking.calendarSummary', { clinic: config?.clinicName ?? '' }),
    description: t('booking.calendarText', {
      when: formatAppointment(booked.slot.start),
      phone: config?.clinicPhone ?? '',
      email: config?.clinicEmail ?? '',
    }),
    location: locationOf(modeOf(booked), config?.clinicAddress ?? ''),
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
