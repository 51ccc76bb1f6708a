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
import { TypeName } from '../../shared/clinic-words.tsx';
import { clinicNow } from '@clinic/app/clock';
import { doctorOf, type BookingData } from './booking-data.ts';
import { HeldUntil, type HoldState } from './hold/hold-state.tsx';
import { searchOf, slotOf, type Journey, type RescheduleOf } from './journey.ts';
import styles from './appointment-summary.module.css';
import { useQuery } from '@tanstack/react-query';
import type { ApiAppointment } from '@clinic/contract';
import { appointmentFromApi, appointmentsQuery } from '../../api/appointments.ts';

interface AppointmentSummaryProps {
  data: BookingData;
  journey: Journey;
  /** State of the hold, on the steps that have a time in hand. */
  hold?: HoldState;
}

/** The 'Your appointment' card, which fills up as the patient makes choices. */
export function AppointmentSummary({ data, journey, hold }: AppointmentSummaryProps) {
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
        <Fact icon={<ModeIcon size={20} />} label={t('booking.appointmentType')} atConfirm="below">
          {type ? <TypeName of={type} /> : <NotChosen />}
          {type && <span className={styles.soft}>{howSeen(type, journey)}</span>}
        </Fact>
        <Fact
          icon={<CalendarDays size={20} />}
          label={t('booking.appointmentWhen')}
          atConfirm="first"
        >
          {slot
            ? formatMoment(locale(), slot.start)
            : fromWords(search?.date ?? dateBounds(clinicNow()).min)}
        </Fact>
        {slot && (
          <Fact icon={<Timer size={20} />} label={t('appointment.length')} atConfirm="below">
            {lengthWords(slot)}
          </Fact>
        )}
        <Fact
          icon={<Stethoscope size={20} />}
          label={t('booking.appointmentWho')}
          atConfirm="first"
        >
          {whoWords(data, journey)}
        </Fact>
        <Fact icon={<Wallet size={20} />} label={t('booking.appointmentFee')}>
          {feeOf(type, journey)}
        </Fact>
        {hold && (
          <Fact icon={<Clock size={20} />} label={t('booking.heldLabel')}>
            <HeldUntil state={hold} />
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
  if (slot) return <span translate="no">{doctorName(doctorOf(data, slot.doctor))}</span>;
  const wish = searchOf(draft)?.doctor ?? null;
  if (wish === null) return <NotChosen />;
  return wish === 'earliest' ? t('booking.earliest') : doctorName(doctorOf(data, wish.id));
}

interface FactProps {
  icon: ReactNode;
  label: string;
  /** Where a phone shows it in step 3: in the first line, without its label, or beneath the question. */
  atConfirm?: 'first' | 'below';
  children: ReactNode;
}

function Fact({ icon, label, atConfirm, children }: FactProps) {
  return (
    <div className={classNames(styles.fact, atConfirm && styles[atConfirm])}>
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

/** The appointment that this booking moves; null while it loads, and for a new booking. */
export function useMovedAppointment(rescheduleOf: RescheduleOf | null): ApiAppointment | null {
  const list = useQuery({ ...appointmentsQuery(), enabled: rescheduleOf !== null });
  if (rescheduleOf === null) return null;
  return list.data?.appointments.find(({ id }) => id === rescheduleOf.appointmentId) ?? null;
}

/** What is about to be booked, as far as it is settled. */
interface PlannedAppointment {
  readonly type: Pick<AppointmentType, 'isPrivate'>;
  readonly eligibility: Eligibility;
  /** The fee for the appointment, in cents. A moved appointment keeps its own fee instead. */
  readonly chargeCents: number;
  readonly start: EpochSeconds | null;
  readonly rescheduleOf: RescheduleOf | null;
}

/**
 * What the patient may still change once the appointment is booked or moved. A moved appointment
 * keeps its payment and whether it can be cancelled; until it has loaded, nothing is promised.
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
    paidNow: rescheduleOf === null ? chargeCents : 0,
    movedByClinic: false,
  };
  const moved = old && { ...appointmentFromApi(old), start, movedByClinic: false };
  return allowedChanges(moved ?? anew, clinicNow());
}

export function instructionOf({ instruction }: AppointmentType): string | null {
  return instruction === null ? null : t(`booking.${instruction}`);
}

/** 'CAD 150.00' or 'No fee'. */
export function feeWords(cents: number): string {
  return cents > 0 ? formatMoney(locale(), cents) : t('booking.noFee');
}
