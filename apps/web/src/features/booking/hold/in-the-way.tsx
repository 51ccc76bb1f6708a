import { typeName } from '../../../shared/clinic-words.tsx';
import type { ApiAppointment } from '@clinic/contract';
import { formatMoment } from '@clinic/texts';
import { Link } from 'wouter';
import { locale, t } from '../../../messages/t.ts';

/** The patient's own appointments that refuse a booking, and the way to them. */
export function InTheWay({ appointments }: { appointments: readonly ApiAppointment[] }) {
  return (
    <>
      {appointments.map((each) => (
        <p key={each.id}>
          {t('booking.youHave', {
            description: typeName(each),
            when: formatMoment(locale(), each.startTime),
          })}
        </p>
      ))}
      <p>
        <Link to="/appointments">{t('booking.toAppointments')}</Link>
      </p>
    </>
  );
}
