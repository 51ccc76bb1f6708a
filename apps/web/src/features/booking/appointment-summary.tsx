import { formatDay, formatMoment, formatMoney } from '@clinic/texts';
import { changeSentences } from '@clinic/contract/change-texts';
import {
  allowedChanges,
  appointmentMode,
  dateBounds,
  doctorName,
  formatTime,
  isCancellableBy,
  type AllowedChanges,
  type AppointmentType,
  type ClinicDate,
  type Eligibility,
  type EpochSeconds,
} from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { Notice } from '@clinic/ui/notice';
import { classNames } from '@clinic/ui/class-names';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { CalendarDays, Clock, MapPin, Phone, Stethoscope, Timer, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { locale, t } from '../../messages/t.ts';
import { lengthWords, modeWordsOf } from '../../shared/appointment-length.ts';
import { ClinicWords } from '../../shared/clinic-words.tsx';
import { messageOf } from '../../api/api-error.ts';
import { clinicNow, useClinicNow } from '../../api/clock.ts';
import { useAction } from '../../shared/use-action.ts';
import { doctorOf, holdQuery, type BookingData } from './booking-data.ts';
import { renewHold } from './hold/hold-calls.ts';
import {
  sameSlot,
  searchOf,
  slotOf,
  type Draft,
  type Journey,
  type OpenJourney,
  type PickedSlot,
  type RescheduleOf,
} from './journey.ts';
import styles from './appointment-summary.module.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiAppointment, ApiHold } from '@clinic/contract';
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

export type HoldState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'held'; readonly until: EpochSeconds; readonly secondsLeft: number }
  | { readonly kind: 'lapsed' }
  /** The patient holds another time by now, in another tab for example. */
  | { readonly kind: 'moved' };

function holdStateOf(
  hold: ApiHold | null | undefined,
  slot: PickedSlot,
  now: EpochSeconds,
): HoldState {
  if (hold === undefined) return { kind: 'asking' };
  if (hold === null || hold.expiresAt <= now) return { kind: 'lapsed' };
  if (!sameSlot(hold, slot)) return { kind: 'moved' };
  return { kind: 'held', until: hold.expiresAt, secondsLeft: hold.expiresAt - now };
}

/** Whether the slot in hand is still held for the patient, and for how long. */
export function useHoldState(slot: PickedSlot): HoldState {
  // The patient may have held another time meanwhile, in another tab or on another device.
  const { data, isError } = useQuery({ ...holdQuery, refetchOnWindowFocus: 'always' });
  const now = useClinicNow();
  // If a refetch fails, the previous answer counts until the hold expires.
  return isError && data === undefined ? { kind: 'lapsed' } : holdStateOf(data, slot, now);
}

/** With this many seconds left or fewer, the patient is offered more time. */
const OFFER_SECONDS = 180;

/** True when the hold lasts long enough that the patient needs no word about it yet. */
export function isHeldForLong(state: HoldState): boolean {
  return state.kind === 'held' && state.secondsLeft > OFFER_SECONDS;
}

interface HoldNoticeProps extends OpenJourney {
  draft: Extract<Draft, { step: 'confirm' | 'payment' }>;
  state: HoldState;
}

/** Warns that the hold is about to expire or has expired, and lets the patient hold the time again. */
export function HoldNotice({ draft, state, journey, send }: HoldNoticeProps) {
  const queryClient = useQueryClient();
  const renew = useAction(
    async () => {
      const { rescheduleOf } = journey;
      const forPayment = draft.step === 'payment';
      const renewed = await renewHold(queryClient, { draft, rescheduleOf, forPayment });
      if (renewed.kind === 'refused') throw renewed.error;
      return renewed;
    },
    {
      onDone: (renewed) => {
        if (renewed.kind === 'booked') send({ type: 'booked', booked: renewed.booked });
        else if (renewed.kind === 'slotLost') send({ type: 'slotLost', message: renewed.message });
      },
    },
  );
  const held = state.kind === 'held';
  const { data: hold } = useQuery(holdQuery);
  // A hold by the clinic has a fixed end; only a patient who is paying can extend it.
  const mayKeep = !held || !hold?.byClinic || draft.step === 'payment';
  if (state.kind === 'asking' || isHeldForLong(state)) return null;
  return (
    <Notice kind="caution" role={held ? 'note' : 'alert'} unasked>
      <p>
        {held
          ? t('booking.heldUntil', { time: formatTime(state.until) })
          : t(state.kind === 'moved' ? 'booking.holdMoved' : 'booking.holdLapsed')}
      </p>
      {mayKeep && (
        <div>
          <Button
            variant="secondary"
            busy={renew.pending}
            busyLabel={t('booking.keeping')}
            onClick={() => renew.run()}
          >
            {t(held ? 'booking.keepLonger' : 'booking.holdAgain')}
          </Button>
        </div>
      )}
      <ActionOutcome press={renew.press}>
        {renew.error && messageOf(renew.error, t('booking.holdFailed'))}
      </ActionOutcome>
    </Notice>
  );
}

/** With this many seconds left or fewer, screen readers announce the time left. */
const SOON_SECONDS = 120;

/** A hold with more than an hour left (such as one by the clinic) shows no countdown. */
const LONG_SECONDS = 3_600;

/** When the hold expires and how much time is left; announced only in the last minutes. */
function HeldUntil({ state }: { state: HoldState }) {
  if (state.kind === 'asking') return <span className={styles.soft}>{t('ui.loading')}</span>;
  if (state.kind !== 'held') return <span>{t('booking.noLongerHeld')}</span>;
  const { until, secondsLeft } = state;
  const isLong = secondsLeft > LONG_SECONDS;
  return (
    <>
      <span>
        {t('booking.untilTime', {
          time: isLong ? formatMoment(locale(), until) : formatTime(until),
        })}
      </span>
      {!isLong && (
        <span className={styles.soft} aria-hidden="true">
          {t('booking.heldLeft', {
            minutes: Math.floor(secondsLeft / 60),
            seconds: String(secondsLeft % 60).padStart(2, '0'),
          })}
        </span>
      )}
      <VisuallyHidden>
        <span role="status">
          {secondsLeft <= SOON_SECONDS &&
            t('booking.heldSoon', { minutes: Math.floor(secondsLeft / 60) })}
        </span>
      </VisuallyHidden>
    </>
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
    paidCents: rescheduleOf === null ? chargeCents : 0,
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
