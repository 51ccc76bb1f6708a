import { formatMoment, formatMoney } from '@clinic/texts';
import { doctorName, appointmentMode } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { locale, t } from '../../../messages/t.ts';
import { changesOf } from '../../../api/appointments.ts';
import { ButtonLink } from '../../../shared/shell/button-link.tsx';
import { ClinicContact } from '../../../shared/shell/clinic-contact.tsx';
import outcome from '../outcome.module.css';
import { doctorOf, typeOf, type BookingData } from '../choose/booking-data.ts';
import { BookedCard } from './booked-card.tsx';
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
  const when = formatMoment(locale(), booked.slot.start);
  const mode = booked.appointment?.mode ?? appointmentMode(type, null);
  return (
    <>
      {booked.oldAppointmentStands && (
        <Notice kind="danger" role="alert" unasked>
          <p>{t('booking.oldNotCancelled')}</p>
        </Notice>
      )}
      <BookedCard
        config={data.config}
        sentence={t('booking.bookedText', { description: type.description, doctor, when })}
        booked={{
          ...booked.slot,
          bookingNumber: booked.bookingNumber,
          sequence: booked.appointment?.sequence ?? 0,
          mode,
        }}
      >
        {booked.receipt && <p>{receiptWords(booked.receipt)}</p>}
        <p>{t('booking.bookedEmail', { email: data.user.email })}</p>
      </BookedCard>
      <section className={outcome.next}>
        <h2 className={outcome.heading}>{t('booking.whatNext')}</h2>
        <ul className={outcome.list}>
          <li>{t('booking.nextEmail')}</li>
          {mode === 'phone' && <li>{t('booking.nextPhone')}</li>}
          {mode === 'inPerson' && (
            <>
              <li>{t('booking.nextEarly')}</li>
              <li>{t('booking.nextBring')}</li>
            </>
          )}
          {whatCanChange(booked).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <ClinicContact config={data.config} />
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

function whatCanChange({ appointment }: BookedAppointment): string[] {
  return appointment === null ? [] : changesOf(appointment);
}

function receiptWords({ cents, reference }: NonNullable<BookedAppointment['receipt']>): string {
  const fee = formatMoney(locale(), cents);
  return reference === null ? t('pay.receipt', { fee }) : t('pay.receiptOf', { fee, reference });
}
