import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { formatTime, type EpochSeconds } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import type { ApiHold } from '@clinic/contract';
import { t } from '../../../messages/t.ts';
import { ApiError, messageOf } from '../../../api/api-error.ts';
import { useAction } from '../../../shared/use-action.ts';
import { useClinicNow } from '../../../api/clock.ts';
import {
  sameSlot,
  type BookedAppointment,
  type Draft,
  type OpenJourney,
  type PickedSlot,
  type RescheduleOf,
} from '../journey.ts';
import { holdQuery } from '../booking-data.ts';
import { isSlotLost, madeUnder, placeHold, whyLost } from './hold-calls.ts';
import styles from './hold-notice.module.css';

/** From here on the patient is offered more time. */
const OFFER_SECONDS = 180;

/** There is nothing to say of the hold yet. */
export function isHeldForLong(state: HoldState): boolean {
  return state.kind === 'held' && state.secondsLeft > OFFER_SECONDS;
}

interface HoldNoticeProps extends OpenJourney {
  draft: Extract<Draft, { step: 'confirm' | 'payment' }>;
  state: HoldState;
}

/** Tells that the hold runs out or has run out, and holds the time again. */
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
  if (state.kind === 'asking' || isHeldForLong(state)) return null;
  return (
    <Notice kind="caution" role={held ? 'note' : 'alert'} unasked>
      <p>
        {held
          ? t('booking.heldUntil', { time: formatTime(state.until) })
          : t(state.kind === 'moved' ? 'booking.holdMoved' : 'booking.holdLapsed')}
      </p>
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
      <ActionOutcome press={renew.press}>
        {renew.error && messageOf(renew.error, t('booking.holdFailed'))}
      </ActionOutcome>
    </Notice>
  );
}

/** The last minutes in which the patient is told aloud. */
const SOON_SECONDS = 120;

/** Until when the time is held, with what is left of it; read out only when it gets short. */
export function HeldUntil({ state }: { state: HoldState }) {
  if (state.kind === 'asking') return <span className={styles.soft}>{t('ui.loading')}</span>;
  if (state.kind !== 'held') return <span>{t('booking.noLongerHeld')}</span>;
  const { until, secondsLeft } = state;
  return (
    <>
      <span>{t('booking.untilTime', { time: formatTime(until) })}</span>
      <span className={styles.soft} aria-hidden="true">
        {t('booking.heldLeft', {
          minutes: Math.floor(secondsLeft / 60),
          seconds: String(secondsLeft % 60).padStart(2, '0'),
        })}
      </span>
      <VisuallyHidden>
        <span role="status">
          {secondsLeft <= SOON_SECONDS &&
            t('booking.heldSoon', { minutes: Math.floor(secondsLeft / 60) })}
        </span>
      </VisuallyHidden>
    </>
  );
}

export type HoldState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'held'; readonly until: EpochSeconds; readonly secondsLeft: number }
  | { readonly kind: 'lapsed' }
  /** Another tab of the patient holds another time. */
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
  // Who comes back to a tab may have held another time meanwhile, on another device too.
  const { data, isError } = useQuery({ ...holdQuery, refetchOnWindowFocus: 'always' });
  const now = useClinicNow();
  // Asked anew without an answer, what was said before stands until its time is over.
  return isError && data === undefined ? { kind: 'lapsed' } : holdStateOf(data, slot, now);
}

export type Renewed =
  | { readonly kind: 'held' }
  /** The patient booked it elsewhere meanwhile: nobody else has taken it. */
  | { readonly kind: 'booked'; readonly booked: BookedAppointment }
  | { readonly kind: 'slotLost'; readonly message: string }
  | { readonly kind: 'refused'; readonly error: ApiError };

interface Renewal {
  readonly draft: Extract<Draft, { step: 'confirm' | 'payment' }>;
  readonly rescheduleOf: RescheduleOf | null;
  readonly forPayment: boolean;
}

/** Holds the time in hand again, or for longer. */
export async function renewHold(
  queryClient: QueryClient,
  { draft: { slot, search, requestKey }, rescheduleOf, forPayment }: Renewal,
): Promise<Renewed> {
  const moved = rescheduleOf?.appointmentId ?? null;
  const result = await placeHold(slot, search.type, moved, forPayment);
  if (result.kind === 'answer') {
    queryClient.setQueryData(holdQuery.queryKey, result.answer.extras.hold);
    return { kind: 'held' };
  }
  const error = new ApiError(result);
  if (!isSlotLost(error.code)) return { kind: 'refused', error };
  const booked = await madeUnder(requestKey);
  if (booked !== null) return { kind: 'booked', booked };
  return { kind: 'slotLost', message: await whyLost(queryClient, error, slot) };
}
