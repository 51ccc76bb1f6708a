import type { ApiHold } from '@clinic/contract';
import { formatTime, type EpochSeconds } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClinicNow } from '@clinic/app/use-clock';
import { locale, t } from '../../../messages/t.ts';
import { useAction } from '../../../shared/use-action.ts';
import styles from '../appointment-summary.module.css';
import { holdQuery } from '../booking-data.ts';
import { sameSlot, type Draft, type OpenJourney, type PickedSlot } from '../journey.ts';
import { madeOf, renewHold, TimeLost, whyNotHeld } from './hold-time.ts';
import { WhyNotHeld } from './problem-words.tsx';

export type HoldState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'held'; readonly until: EpochSeconds; readonly secondsLeft: number }
  | { readonly kind: 'lapsed' }
  /** The patient holds another time by now, in another tab for example. */
  | { readonly kind: 'moved' }
  /** Released before its end, in another tab for example. */
  | { readonly kind: 'released' };

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

/** By how much this clock may be behind the service's: so close to its end a hold has lapsed. */
const CLOCKS_DIFFER_SECONDS = 5;

/** Whether the slot in hand is still held for the patient, and for how long. */
export function useHoldState(slot: PickedSlot): HoldState {
  const { data, isError } = useQuery(holdQuery);
  const now = useClinicNow();
  const [seen, setSeen] = useState<{ readonly end: EpochSeconds; readonly gone: boolean } | null>(
    null,
  );
  const end = data && sameSlot(data, slot) ? data.expiresAt : null;
  if (end !== null && (end !== seen?.end || seen.gone)) setSeen({ end, gone: false });
  if (data === null && seen && !seen.gone && now < seen.end - CLOCKS_DIFFER_SECONDS)
    setSeen({ ...seen, gone: true });
  // If a refetch fails, the previous answer counts until the hold expires.
  if (isError && data === undefined) return { kind: 'lapsed' };
  return data === null && seen?.gone ? { kind: 'released' } : holdStateOf(data, slot, now);
}

type InHand = Extract<Draft, { step: 'confirm' | 'payment' }>;

/**
 * `useHoldState` for a step that has a time in hand. Where the patient has booked it in another tab
 * or on another device, the journey ends with that appointment.
 */
export function useHoldInHand(draft: InHand, { journey, send }: OpenJourney): HoldState {
  const state = useHoldState(draft.slot);
  const { slot, requestKey } = draft;
  const isLost = state.kind !== 'asking' && state.kind !== 'held';
  const { data: booked, isPending } = useQuery({
    queryKey: [...holdQuery.queryKey, 'made', requestKey],
    queryFn: async ({ client, signal }) => {
      const { rescheduleOf } = journey;
      const booked = await madeOf(client, { requestKey, slot, rescheduleOf });
      // Only a step that is still shown when the answer comes may end the journey.
      if (booked && !signal.aborted) send({ type: 'booked', booked });
      return booked;
    },
    enabled: isLost,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  // Until it is known whether it is booked, nobody is told that it is lost.
  return isLost && (isPending || booked) ? { kind: 'asking' } : state;
}

/** With this many seconds left or fewer, the patient is offered more time. */
const OFFER_SECONDS = 180;

/** True when the hold lasts long enough that the patient needs no word about it yet. */
export function isHeldForLong(state: HoldState): boolean {
  return state.kind === 'held' && state.secondsLeft > OFFER_SECONDS;
}

const LOST = {
  lapsed: 'booking.holdLapsed',
  moved: 'booking.holdMoved',
  released: 'booking.holdReleased',
} as const;

interface HoldNoticeProps extends OpenJourney {
  draft: InHand;
  state: HoldState;
}

/** Warns that the hold is about to expire or has expired, and lets the patient hold the time again. */
export function HoldNotice({ draft, state, journey, send }: HoldNoticeProps) {
  const queryClient = useQueryClient();
  const renew = useAction({
    work: () => {
      const { rescheduleOf } = journey;
      return renewHold(queryClient, { draft, rescheduleOf, forPayment: draft.step === 'payment' });
    },
    onDone: (became) => 'booked' in became && send({ type: 'booked', booked: became.booked }),
    onFailed: (error) =>
      error instanceof TimeLost && send({ type: 'slotLost', message: whyNotHeld(error) }),
  });
  const held = state.kind === 'held';
  const { data: hold } = useQuery(holdQuery);
  // A hold by the clinic has a fixed end; only a patient who is paying can extend it.
  const mayKeep = !held || !hold?.byClinic || draft.step === 'payment';
  if (state.kind === 'asking' || isHeldForLong(state)) return null;
  return (
    <Notice kind="caution" role={held ? 'note' : 'alert'} unasked>
      <p>
        {held ? t('booking.heldUntil', { time: formatTime(state.until) }) : t(LOST[state.kind])}
      </p>
      {mayKeep && (
        <div>
          <Button
            variant="secondary"
            actsOn={`${draft.slot.start} ${draft.slot.doctor}`}
            busy={renew.pending}
            busyLabel={t('booking.keeping')}
            onClick={() => renew.run()}
          >
            {t(held ? 'booking.keepLonger' : 'booking.holdAgain')}
          </Button>
        </div>
      )}
      <ActionOutcome press={renew.press}>
        {renew.error && <WhyNotHeld error={renew.error} />}
      </ActionOutcome>
    </Notice>
  );
}

/** With this many seconds left or fewer, screen readers announce the time left. */
const SOON_SECONDS = 120;

/** A hold with more than an hour left (such as one by the clinic) shows no countdown. */
const LONG_SECONDS = 3_600;

/** When the hold expires and how much time is left; announced only in the last minutes. */
export function HeldUntil({ state }: { state: HoldState }) {
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
