import { typeName } from '../../../shared/clinic-words.tsx';
import type { ApiAppointment } from '@clinic/contract';
import { patientPages } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { Link } from 'wouter';
import { locale, t } from '../../../messages/t.ts';
import { ClinicContact } from '../../../shared/shell/clinic-contact.tsx';
import { StillUnknown } from './hold-calls.ts';
import { OwnInTheWay, whyNotHeld, type Problem } from './hold-time.ts';

/** Why a time could not be held, and the way to what the patient has. */
export function WhyNotHeld({ error }: { error: Error }) {
  return (
    <>
      <p>{whyNotHeld(error)}</p>
      {error instanceof StillUnknown && (
        <Link to={patientPages.appointments}>{t('booking.toAppointments')}</Link>
      )}
      {error instanceof OwnInTheWay && <InTheWay appointments={error.inTheWay} />}
    </>
  );
}

/** Why a booking or a payment stopped, with what helps. */
export function ProblemWords({ problem }: { problem: Problem }) {
  return (
    <>
      <p>{problem.message}</p>
      {problem.needsClinic && <ClinicContact />}
      {problem.inTheWay && <InTheWay appointments={problem.inTheWay} />}
    </>
  );
}

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
        <Link to={patientPages.appointments}>{t('booking.toAppointments')}</Link>
      </p>
    </>
  );
}
