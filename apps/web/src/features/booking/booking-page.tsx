import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { StepList } from '@clinic/ui/step-list';
import { text } from '@clinic/contract/told-by-pages';
import {
  formatTime,
  shortName,
  type AppointmentType,
  type Doctor,
  patientPages,
} from '@clinic/domain';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '@clinic/app/api-error';
import { later } from '@clinic/app/later';
import { useEffect, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { booking } from '../../messages/en/booking.ts';
import { loadMessages, locale, t } from '../../messages/t.ts';
import { takeAnswer } from '../../api/query-client.ts';
import { typeName } from '../../shared/clinic-words.tsx';
import { recordsQuery } from '../../shared/session/records-status.ts';
import { useUser } from '../../shared/session/session.ts';
import { Page } from '../../shared/shell/page.tsx';
import { readUnsettled } from '../../shared/unsettled-request.ts';
import { bookAnew } from '../../shared/booking-link.ts';
import { ButtonLink } from '../../shared/shell/button-link.tsx';
import { Notice } from '@clinic/ui/notice';
import {
  holdQuery,
  movedOf,
  useBookingData,
  type BookingData,
  type StepProps,
} from './booking-data.ts';
import {
  type PickedSlot,
  type Step,
  searchOf,
  type OpenJourney,
  type RescheduleOf,
} from './journey.ts';
import { endedSince } from './booked/ended-since.ts';
import { Checking } from './confirm/checking.tsx';
import { ChooseType } from './choose/choose-type.tsx';
import { ContinueBooking } from './choose/continue-booking.tsx';
import { AppointmentSummary, instructionOf } from './appointment-summary.tsx';
import { useHoldInHand, useHoldState } from './hold/hold-state.tsx';
import styles from './booking-page.module.css';
import { whatBecameOf } from './hold/hold-calls.ts';
import { useJourney } from './use-journey.ts';

await loadMessages({ booking });

const waiting = { waiting: <LoadingState /> };
const PickSlot = later(async () => (await import('./slots/pick-slot.tsx')).PickSlot, waiting);
const Confirm = later(async () => (await import('./confirm/confirm.tsx')).Confirm, waiting);
const Payment = later(async () => (await import('./payment/payment.tsx')).Payment, waiting);
const Booked = later(async () => (await import('./booked/booked.tsx')).Booked, waiting);

function loadLaterSteps(): void {
  const dialogs = import('./confirm/confirm-dialogs.tsx');
  const steps = [PickSlot, Confirm, Payment, Booked].map(({ bring }) => bring());
  // A step whose preload failed imports its code again when it is shown.
  void Promise.all([dialogs, ...steps]).catch(() => {});
}

/** Home: the journey from a type to a booked appointment. */
export function BookingPage() {
  const open = useJourney();
  const loaded = useBookingData();
  const { draft } = open.journey;
  const look = useLookFirst(open);

  if (!look.over)
    return (
      <JourneyFrame step={draft.step} title={t('booking.title')} withFee={false}>
        <Checking unknown={look.unknown} onAgain={look.again} />
      </JourneyFrame>
    );
  if (loaded.state === 'ready') return <Journey data={loaded.data} {...open} />;
  return (
    <JourneyFrame step={draft.step} title={t('booking.title')} withFee={false}>
      {loaded.state === 'failed' ? (
        <FailedState onRetry={loaded.retry}>{t('booking.loadFailed')}</FailedState>
      ) : (
        <LoadingState />
      )}
    </JourneyFrame>
  );
}

interface FirstLook {
  /** True once the outcome is known or none was open; until then nothing else is offered. */
  readonly over: boolean;
  /** What the patient reads after a minute without an answer; null before. */
  readonly unknown: string | null;
  readonly again: () => void;
}

/**
 * On arrival at home with a request of unknown outcome (after a reload, a sign-in or from another
 * page), finds out what became of the request before anything else is offered.
 */
function useLookFirst({ journey, send }: OpenJourney): FirstLook {
  const { id } = useUser();
  const [key] = useState(() => (journey.draft.step === 'booked' ? null : readUnsettled(id)));
  const look = useQuery({
    queryKey: ['unsettled', key],
    queryFn: async ({ client }) => {
      const { became, hold } = await whatBecameOf(id, key ?? '');
      takeAnswer(client, holdQuery, hold);
      if (became.kind === 'booked') send({ type: 'booked', booked: became.booked });
      return became;
    },
    enabled: key !== null,
    // Not refetched on a change of language, which could lead the patient back to the booked page.
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });
  const isBooked = journey.draft.step === 'booked';
  return {
    over: key === null || look.isSuccess || isBooked,
    unknown: look.isFetching || !look.error ? null : messageOf(look.error),
    again: () => void look.refetch(),
  };
}

function Journey({ data, journey, send }: OpenJourney & { data: BookingData }) {
  const { draft, rescheduleOf } = journey;
  const isChoosing = draft.step === 'schedule';
  // The later steps load on the first press or key on this one, so that nobody waits for them.
  useEffect(() => {
    if (!isChoosing) return loadLaterSteps();
    addEventListener('pointerdown', loadLaterSteps, { once: true });
    addEventListener('keydown', loadLaterSteps, { once: true });
    return () => {
      removeEventListener('pointerdown', loadLaterSteps);
      removeEventListener('keydown', loadLaterSteps);
    };
  }, [isChoosing]);
  const code = searchOf(draft)?.type;
  const type = data.types.find((one) => one.code === code);
  const open = { data, journey, send };
  const isHeld = draft.step === 'confirm' || draft.step === 'payment';
  const isPaid =
    draft.step === 'payment' || (draft.step === 'booked' && draft.booked.outcome === 'paid');
  const mayGoOn = isHeld || draft.step === 'booked' || mayMove(data, rescheduleOf);
  const free = mayGoOn && draft.step !== 'booked' && <AppointmentSummary {...open} />;
  return (
    <JourneyFrame
      step={draft.step}
      title={titleOf(data, open)}
      withFee={isPaid || (rescheduleOf === null && (type?.chargeCents ?? 0) > 0)}
      summary={isHeld ? <HeldSummary {...open} slot={draft.slot} /> : free}
    >
      {mayGoOn ? <OpenStep {...open} /> : <MayNotMove />}
    </JourneyFrame>
  );
}

function OpenStep(open: OpenJourney & { data: BookingData }) {
  const { draft } = open.journey;
  switch (draft.step) {
    case 'schedule':
      return (
        <>
          <ContinueBooking {...open} />
          <ChooseType {...open} draft={draft} />
        </>
      );
    case 'displaySchedule':
      return <PickSlot {...open} draft={draft} />;
    case 'confirm':
      return <ConfirmHeld {...open} draft={draft} />;
    case 'payment':
      return <PayHeld {...open} draft={draft} />;
    case 'booked':
      return <Booked {...open} booked={draft.booked} />;
  }
}

/** In place of a step that moves an appointment which can no longer be moved. */
function MayNotMove() {
  return (
    <>
      <Notice kind="caution" role="alert" unasked>
        <p>{text(locale(), 'notReschedulable')}</p>
        <Link to={patientPages.appointments}>{t('booking.toAppointments')}</Link>
      </Notice>
      <ButtonLink to={patientPages.booking} state={bookAnew}>
        {t('booking.bookAnew')}
      </ButtonLink>
    </>
  );
}

/** True when the appointment can still be moved. While the list is unknown, the service decides. */
function mayMove(data: BookingData, rescheduleOf: RescheduleOf | null): boolean {
  if (rescheduleOf === null || data.appointments === null) return true;
  return movedOf(data, rescheduleOf)?.isReschedulable === true;
}

function descriptionOf(data: BookingData, rescheduleOf: RescheduleOf): string {
  const type = data.types.find(({ code }) => code === rescheduleOf.type);
  const named = movedOf(data, rescheduleOf) ?? type;
  return named ? typeName(named) : '';
}

interface HeldSummaryProps extends Pick<OpenJourney, 'journey'> {
  data: BookingData;
  slot: PickedSlot;
}

// The countdown re-renders these components every second, and nothing around them.
function HeldSummary({ data, slot, journey }: HeldSummaryProps) {
  return <AppointmentSummary data={data} journey={journey} hold={useHoldState(slot)} />;
}

function ConfirmHeld(props: StepProps<'confirm'>) {
  const hold = useHoldInHand(props.draft, props);
  const isMovable = mayMove(props.data, props.journey.rescheduleOf);
  // Where the move was made in another tab or on another device, its outcome is on the way.
  return isMovable || hold.kind === 'asking' ? <Confirm {...props} hold={hold} /> : <MayNotMove />;
}

function PayHeld(props: StepProps<'payment'>) {
  return <Payment {...props} hold={useHoldInHand(props.draft, props)} />;
}

function titleOf(data: BookingData, { journey: { draft, rescheduleOf } }: OpenJourney): string {
  switch (draft.step) {
    case 'schedule':
      return rescheduleOf
        ? t('booking.rescheduleTitle', { description: descriptionOf(data, rescheduleOf) })
        : t('booking.chooseType');
    case 'displaySchedule': {
      const { search } = draft;
      const type = data.types.find(({ code }) => code === search.type);
      const wish = search.doctor;
      const doctor =
        wish === 'earliest' ? null : (data.doctors.find(({ id }) => id === wish.id) ?? null);
      return type ? slotsTitle(type, doctor, rescheduleOf !== null) : t('booking.title');
    }
    case 'confirm':
      return t('booking.confirmTitle');
    case 'payment':
      return t('pay.title');
    case 'booked':
      return t(
        `booking.${endedSince(data.appointments, draft.booked.appointment?.id) ?? draft.booked.outcome}`,
      );
  }
}

/** 'Booking {type} [with {initial}. {last name}]: {instruction}', or 'Reschedule …'. */
export function slotsTitle(type: AppointmentType, doctor: Doctor | null, moving: boolean): string {
  const instruction = instructionOf(type);
  const who = doctor
    ? t('booking.withDoctor', { what: typeName(type), name: shortName(doctor) })
    : typeName(type);
  const what =
    instruction === null ? who : t('booking.withInstruction', { what: who, instruction });
  return t(moving ? 'booking.slotsTitleReschedule' : 'booking.slotsTitle', { what });
}

interface JourneyFrameProps {
  step: Step;
  title: string;
  /** The Pay step is listed only where a fee applies. */
  withFee: boolean;
  /** 'Your appointment', beside the form from 960 px, above it on phones. */
  summary?: ReactNode;
  children: ReactNode;
}

/** The frame around each screen of the journey: the list of steps and the appointment so far. */
function JourneyFrame({ step, title, withFee, summary, children }: JourneyFrameProps) {
  const steps = [
    { id: 'schedule', label: t('booking.stepType') },
    { id: 'displaySchedule', label: t('booking.stepTime') },
    { id: 'confirm', label: t('booking.stepConfirm') },
    ...(withFee ? [{ id: 'payment', label: t('booking.stepPay') }] : []),
    { id: 'booked', label: t('booking.stepDone') },
  ];
  return (
    <Page
      title={title}
      width="wide"
      screen={step}
      before={<StepList steps={steps} current={step} />}
    >
      <div className={summary ? styles.beside : styles.alone}>
        {summary && <div className={styles.summary}>{summary}</div>}
        <div className={styles.main}>
          {step !== 'booked' && <BookingPaused />}
          {children}
        </div>
      </div>
    </Page>
  );
}

/** Shown while the clinic's EMR is silent or refuses us: how old the times are, and that booking is paused. */
function BookingPaused() {
  const { asOf = null, refused = false } = useQuery(recordsQuery).data ?? {};
  if (asOf === null) return null;
  return (
    <Notice kind="caution" role="status">
      <p>{t(refused ? 'booking.pausedRefused' : 'booking.paused', { time: formatTime(asOf) })}</p>
    </Notice>
  );
}
