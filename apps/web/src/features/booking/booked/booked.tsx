import { formatMoment, formatMoney } from '@clinic/texts';
import {
  appointmentMode,
  doctorName,
  mapLink,
  type AppointmentMode,
  type EpochSeconds,
  patientPages,
} from '@clinic/domain';
import { appointmentCalendar } from '@clinic/contract/calendar';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { locale, t } from '../../../messages/t.ts';
import { typeName } from '../../../shared/clinic-words.tsx';
import { useConfig } from '../../../api/config.ts';
import { changesOf } from '../../../api/appointments.ts';
import { lengthWords } from '../../../shared/appointment-length.ts';
import { ButtonLink } from '../../../shared/shell/button-link.tsx';
import { ClinicContact } from '../../../shared/shell/clinic-contact.tsx';
import outcome from '../outcome.module.css';
import { doctorOf, typeOf, type BookingData } from '../booking-data.ts';
import '../payment/payment-words.ts';
import type { BookedAppointment, OpenJourney } from '../journey.ts';
import type { ClinicConfig } from '@clinic/contract';
import { Card } from '@clinic/ui/card';
import { CalendarPlus, CircleCheck, MapPin } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';
import { clinicNow } from '@clinic/app/clock';
import { useUser } from '../../../shared/session/session.ts';
import { endedSince } from './ended-since.ts';
import styles from './booked.module.css';

interface BookedProps {
  data: BookingData;
  booked: BookedAppointment;
  send: OpenJourney['send'];
}

/** The last page: the appointment in one sentence, what happens next, and the ways on. */
export function Booked({ data, booked, send }: BookedProps) {
  const type = typeOf(data, booked.type);
  const doctor = doctorName(doctorOf(data, booked.slot.doctor));
  const when = formatMoment(locale(), booked.slot.start);
  const sentence = t('booking.bookedText', { description: typeName(type), doctor, when });
  const ended = endedSince(data.appointments, booked.appointment?.id);
  if (ended !== null)
    return (
      <>
        <Notice kind="caution" role="alert" unasked>
          <p>{t(`booking.${ended}Text`, { appointment: sentence })}</p>
        </Notice>
        <WaysOn send={send} />
      </>
    );
  const mode = booked.appointment?.mode ?? appointmentMode(type, null);
  return (
    <>
      {booked.oldAppointmentStands && (
        <Notice kind="danger" role="alert" unasked>
          <p>{t('booking.oldNotCancelled')}</p>
        </Notice>
      )}
      <BookedCard
        sentence={sentence}
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
          {booked.appointment &&
            changesOf(booked.appointment).map((sentence) => <li key={sentence}>{sentence}</li>)}
        </ul>
        <ClinicContact placed={isAtClinic(mode)} />
      </section>
      <WaysOn send={send} />
    </>
  );
}

function WaysOn({ send }: Pick<BookedProps, 'send'>) {
  return (
    <div className={outcome.actions}>
      <Button onClick={() => send({ type: 'reset' })}>{t('booking.returnHome')}</Button>
      <ButtonLink variant="secondary" to={patientPages.appointments}>
        {t('booking.toAppointments')}
      </ButtonLink>
    </div>
  );
}

export function receiptWords({
  cents,
  reference,
}: NonNullable<BookedAppointment['receipt']>): string {
  const fee = formatMoney(locale(), cents);
  return reference === null ? t('pay.receipt', { fee }) : t('pay.receiptOf', { fee, reference });
}

interface BookedFacts {
  readonly bookingNumber: string;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  readonly sequence: number;
  /** How the patient is seen; null or 'either' while that is not known here. */
  readonly mode: AppointmentMode | 'either' | null;
}

interface BookedCardProps {
  /** Null where no appointment is known. */
  booked: BookedFacts | null;
  /** Type, doctor and time in one sentence. */
  sentence: string | null;
  children?: ReactNode;
}

/** The booked appointment, with a link that adds it to a calendar. */
export function BookedCard({ booked, sentence, children }: BookedCardProps) {
  const config = useConfig();
  const { firstName, lastName } = useUser();
  return (
    <Card className={outcome.card}>
      <CircleCheck size={64} strokeWidth={1.75} className={outcome.check} aria-hidden="true" />
      {sentence !== null && (
        <>
          <p className={outcome.sentence}>{sentence}</p>
          {booked && <p>{lengthWords(booked)}</p>}
          <p>{t('booking.bookedFor', { name: `${firstName} ${lastName}` })}</p>
        </>
      )}
      {config && isAtClinic(booked?.mode ?? null) && <ClinicPlace config={config} />}
      {children}
      {booked && <CalendarLink booked={booked} config={config} />}
    </Card>
  );
}

/** True when the appointment may be at the clinic, so that the card shows the clinic's address. */
export function isAtClinic(mode: BookedFacts['mode']): boolean {
  return mode !== 'phone' && mode !== 'video';
}

/** The clinic's address. The map link goes to another site and tells it nothing of the appointment. */
function ClinicPlace({ config: { clinicName, clinicAddress } }: { config: ClinicConfig }) {
  return (
    <address className={styles.place}>
      <span translate="no">
        {clinicName}, {clinicAddress}
      </span>
      <a className={styles.way} href={mapLink(clinicAddress)} target="_blank" rel="noreferrer">
        <MapPin size={20} aria-hidden="true" />
        {t('booking.showMap')}
      </a>
    </address>
  );
}

interface CalendarLinkProps {
  booked: BookedFacts;
  config: ClinicConfig | null;
}

function CalendarLink({ booked, config }: CalendarLinkProps) {
  const [writtenAt] = useState(clinicNow);
  const { clinicName = '', clinicAddress = '', clinicPhone = '', clinicEmail = '' } = config ?? {};
  const clinic = {
    name: clinicName,
    address: clinicAddress,
    phone: clinicPhone,
    email: clinicEmail,
  };
  const file = appointmentCalendar(locale(), 'PUBLISH', booked, clinic, writtenAt);

  const offer = useCallback(
    (link: HTMLAnchorElement) => {
      link.href = URL.createObjectURL(new Blob([file], { type: 'text/calendar;charset=utf-8' }));
      return () => URL.revokeObjectURL(link.href);
    },
    [file],
  );

  return (
    <a ref={offer} className={styles.way} href={patientPages.booking} download="appointment.ics">
      <CalendarPlus size={20} aria-hidden="true" />
      {t('booking.addToCalendar')}
    </a>
  );
}
