import {
  appointmentMode,
  centsOf,
  doctorName,
  doctorOfAppointment,
  formatAppointment,
  formatFee,
} from '@clinic/domain';
import type { ApiAppointment } from '@clinic/contract';
import { Notice } from '@clinic/ui/notice';
import { t } from '../../../messages/t.ts';
import { changesOf } from '../../../api/appointments.ts';
import { useConfig } from '../../../api/config.ts';
import { ButtonLink } from '../../../shared/shell/button-link.tsx';
import { ClinicContact } from '../../../shared/shell/clinic-contact.tsx';
import { Page } from '../../../shared/shell/page.tsx';
import { BookedCard } from '../booked/booked-card.tsx';
import styles from '../outcome.module.css';

interface PaymentSuccessProps {
  /** The appointment that was booked, where it is known. */
  appointment: ApiAppointment | null;
  reference: string | null;
  /** No booking was found just now: My Appointments is where it would be. */
  lookThere: boolean;
}

/** The appointment is booked: what it is, and what comes next. */
export function PaymentSuccess({ appointment, reference, lookThere }: PaymentSuccessProps) {
  const config = useConfig();
  const mode =
    appointment && appointmentMode(appointment.code, appointment.contactPreference ?? null);
  return (
    <Page title={t('payment.success')} screen="success">
      <BookedCard
        config={config}
        sentence={appointment && sentenceOf(appointment)}
        booked={
          appointment && {
            bookingNumber: appointment.bookingId ?? appointment.id,
            start: appointment.startTime,
            end: appointment.endTime,
            sequence: appointment.sequence ?? 0,
            mode,
          }
        }
      >
        {appointment && appointment.paidAmount > 0 && <p>{receiptWords(appointment, reference)}</p>}
        {lookThere && (
          <Notice role="status">
            <p>{t('payment.lookThere')}</p>
          </Notice>
        )}
      </BookedCard>
      <section className={styles.next}>
        <h2 className={styles.heading}>{t('payment.whatsNext')}</h2>
        <ul className={styles.list}>
          <li>{t('payment.nextEmail')}</li>
          <li>{t('payment.nextDetails')}</li>
          {mode === 'phone' && <li>{t('payment.nextPhone')}</li>}
          {(mode === 'clinic' || mode === null) && (
            <>
              <li>{t('payment.nextEarly')}</li>
              <li>{t('payment.nextBring')}</li>
            </>
          )}
          {appointment &&
            changesOf(appointment).map((sentence) => <li key={sentence}>{sentence}</li>)}
        </ul>
        <p>{t('payment.changes')}</p>
        <ClinicContact config={config} />
      </section>
      <div className={styles.actions}>
        <ButtonLink to="/appointments">{t('payment.toAppointments')}</ButtonLink>
      </div>
    </Page>
  );
}

function sentenceOf({ description, startTime, doctor, displayInfo }: ApiAppointment): string {
  const when = formatAppointment(startTime);
  const who = doctorOfAppointment({ doctor, displayInfo }, []);
  return who === null
    ? t('payment.appointment', { description, when })
    : t('booking.bookedText', { description, when, doctor: doctorName(who) });
}

function receiptWords({ paidAmount }: ApiAppointment, reference: string | null): string {
  const fee = formatFee(centsOf(paidAmount) ?? 0);
  return reference === null ? t('pay.receipt', { fee }) : t('pay.receiptOf', { fee, reference });
}
