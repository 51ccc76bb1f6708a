import { formatDay, formatMoment, formatMoney } from '@clinic/texts';
import { changeSentences } from '@clinic/contract/change-texts';
import {
  allowedChanges,
  appointmentMode,
  dateBounds,
  doctorName,
  isCancellableBy,
  type AllowedChanges,
  type AppointmentType,
  type ClinicDate,
  type Eligibility,
  type EpochSeconds,
} from '@clinic/domain';
import { Card } from '@clinic/ui/card';
import { classNames } from '@clinic/ui/class-names';
import { CalendarDays, Clock, MapPin, Phone, Stethoscope, Timer, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { locale, t } from '../../messages/t.ts';
import { lengthWords, modeWordsOf } from '../../shared/appointment-length.ts';
import { ClinicWords } from '../../shared/clinic-words.tsx';
import { clinicNow } from '../../api/clock.ts';
import { doctorOf, type BookingData } from './booking-data.ts';
import { searchOf, slotOf, type Journey, type RescheduleOf } from './journey.ts';
import styles from './appointment-summary.module.css';
import { useQuery } from '@tanstack/react-query';
import type { ApiAppointment } from '@clinic/contract';
import { appointmentFromApi, appointmentsQuery } from '../../api/appointments.ts';

interface AppointmentSummaryProps {
  data: BookingData;
  journey: Journey;
  /** How long the time is still held, on the steps that hold one. */
  held?: ReactNode;
}

/** 'Your appointment': fills as choices are made. */
export function AppointmentSummary({ data, journey, held }: AppointmentSummaryProps) {
  const search = searchOf(journey.draft);
  const slot = slotOf(journey.draft);
  const type = data.types.find(({ code }) => code === search?.type) ?? null;
  if (type?.form === 'refill') return null;
  const ModeIcon = type && modeOf(type, journey) === 'phone' ? Phone : MapPin;
  return (
    <Card
      as="aside"
      className={classNames(styles.card, styles[journey.draft.step])}
      aria-labelledby="your-appointment"
    >
      <h2 id="your-appointment" className={styles.title}>
        {t('booking.yourAppointment')}
      </h2>
      <dl className={styles.facts}>
        <Fact icon={<ModeIcon size={20} />} label={t('booking.appointmentType')}>
          {type ? <ClinicWords>{type.description}</ClinicWords> : <NotChosen />}
          {type && <span className={styles.soft}>{howSeen(type, journey)}</span>}
        </Fact>
        <Fact icon={<CalendarDays size={20} />} label={t('booking.appointmentWhen')}>
          {slot
            ? formatMoment(locale(), slot.start)
            : fromWords(search?.date ?? dateBounds(clinicNow()).min)}
        </Fact>
        {slot && (
          <Fact icon={<Timer size={20} />} label={t('appointment.length')}>
            {lengthWords(slot)}
          </Fact>
        )}
        <Fact icon={<Stethoscope size={20} />} label={t('booking.appointmentWho')}>
          {whoWords(data, journey)}
        </Fact>
        <Fact icon={<Wallet size={20} />} label={t('booking.appointmentFee')}>
          {feeOf(type, journey)}
        </Fact>
        {held && (
          <Fact icon={<Clock size={20} />} label={t('booking.heldLabel')}>
            {held}
          </Fact>
        )}
      </dl>
      {type && <Advice type={type} journey={journey} eligibility={data.user.eligibility} />}
    </Card>
  );
}

interface AdviceProps {
  type: AppointmentType;
  journey: Journey;
  eligibility: Eligibility;
}

const READY = {
  inPerson: 'booking.bringCards',
  phone: 'booking.phoneReady',
  video: 'booking.phoneReady',
  either: 'booking.eitherReady',
} as const;

function Advice({ type, journey, eligibility }: AdviceProps) {
  const { draft, rescheduleOf } = journey;
  const mode = modeOf(type, journey);
  const old = useMovedAppointment(rescheduleOf);
  const changes = usePlannedChanges({
    type,
    eligibility,
    chargeCents: chargeOf(type, journey),
    start: slotOf(draft)?.start ?? null,
    rescheduleOf,
  });
  const sentences = changeSentences(locale(), changes);
  return (
    <div className={styles.advice}>
      {old !== null && draft.step !== 'schedule' && (
        <p>{t('booking.moving', { when: formatMoment(locale(), old.startTime) })}</p>
      )}
      <h3 className={styles.label}>
        {t(mode === 'inPerson' ? 'booking.appointmentBring' : 'booking.appointmentReady')}
      </h3>
      <p>{t(READY[mode])}</p>
      {sentences.length > 0 && <h3 className={styles.label}>{t('booking.appointmentChanges')}</h3>}
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}

export const modeOf = (type: AppointmentType, { answers }: Journey) =>
  appointmentMode(type, answers.crash.contactPreference);

/** 'By phone · Our provider will call you' */
function howSeen(type: AppointmentType, journey: Journey): string {
  const planned = slotOf(journey.draft) ?? { start: 0, end: type.minutes * 60 };
  const mode = modeWordsOf({ ...planned, mode: modeOf(type, journey) });
  return [mode, instructionOf(type)].filter((words) => words !== null).join(' · ');
}

const chargeOf = ({ chargeCents }: AppointmentType, { draft }: Journey) =>
  draft.step === 'payment' ? draft.chargeCents : chargeCents;

function NotChosen() {
  return <span className={styles.soft}>{t('booking.notChosen')}</span>;
}

function feeOf(type: AppointmentType | null, journey: Journey): ReactNode {
  if (!type) return <NotChosen />;
  if (journey.rescheduleOf !== null) return t('booking.feeKept');
  return feeWords(chargeOf(type, journey));
}

function fromWords(date: ClinicDate): string {
  return t('booking.fromDay', { day: formatDay(locale(), date) });
}

function whoWords(data: BookingData, { draft }: Journey): ReactNode {
  const slot = slotOf(draft);
  if (slot) return doctorName(doctorOf(data, slot.doctor));
  const wish = searchOf(draft)?.doctor ?? null;
  if (wish === null) return <NotChosen />;
  return wish === 'earliest' ? t('booking.earliest') : doctorName(doctorOf(data, wish.id));
}

function Fact({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt className={styles.label}>
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
        {label}
      </dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  );
}

/** The appointment that this booking moves; null while it is not known, and where none is moved. */
export function useMovedAppointment(rescheduleOf: RescheduleOf | null): ApiAppointment | null {
  const list = useQuery({ ...appointmentsQuery(), enabled: rescheduleOf !== null });
  if (rescheduleOf === null) return null;
  return list.data?.appointments.find(({ id }) => id === rescheduleOf.appointmentId) ?? null;
}

/** What is about to be booked, as far as it is settled. */
interface PlannedAppointment {
  readonly type: Pick<AppointmentType, 'isPrivate'>;
  readonly eligibility: Eligibility;
  /** The fee that is paid for it, in cents; an appointment that moves keeps its own. */
  readonly chargeCents: number;
  readonly start: EpochSeconds | null;
  readonly rescheduleOf: RescheduleOf | null;
}

/**
 * What the appointment will allow once it is booked or moved. Of one that moves, what was paid and
 * whether it can be cancelled go with it; while that is not known, nothing is said.
 */
export function usePlannedChanges(planned: PlannedAppointment): AllowedChanges {
  const { type, eligibility, chargeCents, start, rescheduleOf } = planned;
  const old = useMovedAppointment(rescheduleOf);
  const anew = {
    start,
    state: rescheduleOf === null ? ('booked' as const) : ('rescheduled' as const),
    bookingNumber: '',
    isCancellable: isCancellableBy(eligibility, type),
    isReschedulable: true,
    paidCents: rescheduleOf === null ? chargeCents : 0,
  };
  const moved = old && { ...appointmentFromApi(old), start };
  return allowedChanges(moved ?? anew, clinicNow());
}

export function instructionOf({ instruction }: AppointmentType): string | null {
  return instruction === null ? null : t(`booking.${instruction}`);
}

/** 'CAD 150.00' or 'No fee'. */
export function feeWords(cents: number): string {
  return cents > 0 ? formatMoney(locale(), cents) : t('booking.noFee');
}
