import { formatMoment } from '@clinic/texts';
import { calendarFile, calendarUid, type AppointmentMode, type EpochSeconds } from '@clinic/domain';
import type { ClinicConfig } from '@clinic/contract';
import { Card } from '@clinic/ui/card';
import { CalendarPlus, CircleCheck, MapPin } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';
import { locale, t } from '../../../messages/t.ts';
import { clinicNow } from '../../../api/clock.ts';
import { useUser } from '../../../shared/session/session.ts';
import outcome from '../outcome.module.css';
import styles from './booked.module.css';

interface BookedFacts {
  readonly bookingNumber: string;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  readonly sequence: number;
  /** Where the patient is awaited; null or 'either' while that is not known here. */
  readonly mode: AppointmentMode | 'either' | null;
}

interface BookedCardProps {
  /** Null where no appointment is known. */
  booked: BookedFacts | null;
  config: ClinicConfig | null;
  /** What, with whom and when, in one sentence. */
  sentence: string | null;
  children?: ReactNode;
}

/** The appointment that was booked, as the patient keeps, prints or saves it. */
export function BookedCard({ booked, config, sentence, children }: BookedCardProps) {
  const { firstName, lastName } = useUser();
  return (
    <Card className={outcome.card}>
      <CircleCheck size={64} strokeWidth={1.75} className={outcome.check} aria-hidden="true" />
      {sentence !== null && (
        <>
          <p className={outcome.sentence}>{sentence}</p>
          <p>{t('booking.bookedFor', { name: `${firstName} ${lastName}` })}</p>
        </>
      )}
      {config && booked?.mode !== 'phone' && booked?.mode !== 'video' && (
        <ClinicPlace config={config} />
      )}
      {children}
      {booked && <CalendarLink booked={booked} config={config} />}
    </Card>
  );
}

/** Where the clinic is; the map is another site, which learns nothing of the appointment. */
function ClinicPlace({ config: { clinicName, clinicAddress } }: { config: ClinicConfig }) {
  const map = `https://www.openstreetmap.org/search?query=${encodeURIComponent(clinicAddress)}`;
  return (
    <address className={styles.place}>
      <span>
        {clinicName}, {clinicAddress}
      </span>
      <a className={styles.way} href={map} target="_blank" rel="noreferrer">
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
  const file = calendarFile({
    method: 'PUBLISH',
    uid: calendarUid(booked.bookingNumber),
    sequence: booked.sequence,
    start: booked.start,
    end: booked.end,
    writtenAt,
    summary: t('booking.calendarSummary', { clinic: clinicName }),
    description: t('booking.calendarText', {
      when: formatMoment(locale(), booked.start),
      phone: clinicPhone,
      email: clinicEmail,
    }),
    location: locationOf(booked.mode, clinicAddress),
    organizer: { name: clinicName, email: clinicEmail },
  });

  const offer = useCallback(
    (link: HTMLAnchorElement) => {
      link.href = URL.createObjectURL(new Blob([file], { type: 'text/calendar;charset=utf-8' }));
      return () => URL.revokeObjectURL(link.href);
    },
    [file],
  );

  return (
    <a ref={offer} className={styles.way} href="/" download="appointment.ics">
      <CalendarPlus size={20} aria-hidden="true" />
      {t('booking.addToCalendar')}
    </a>
  );
}

function locationOf(mode: BookedFacts['mode'], address: string): string {
  if (mode === 'either' || mode === null) return '';
  if (mode === 'video') return t('booking.byVideo');
  return mode === 'phone' ? t('booking.calledByPhone') : address;
}
