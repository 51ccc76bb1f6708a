import { useQueryClient } from '@tanstack/react-query';
import { formatTime } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { t } from '../../../messages/t.ts';
import { ApiError, messageOf } from '../../../api/api-error.ts';
import { useAction } from '../../../shared/use-action.ts';
import { isSlotLost } from '../confirm/book-appointment.ts';
import type { Draft, OpenJourney } from '../journey.ts';
import styles from './hold-notice.module.css';
import { placeHold } from './hold-calls.ts';
import type { HoldState } from './hold-state.ts';
import { holdQuery } from '../slots/slot-queries.ts';

/** From here on the patient is offered more time. */
const OFFER_SECONDS = 180;

interface HoldNoticeProps extends OpenJourney {
  draft: Extract<Draft, { step: 'confirm' | 'payment' }>;
  state: HoldState;
}

/** Tells that the hold runs out or has run out, and holds the time again. */
export function HoldNotice({ draft, state, journey, send }: HoldNoticeProps) {
  const queryClient = useQueryClient();
  const renew = useAction(
    async () => {
      const moved = journey.rescheduleOf?.appointmentId ?? null;
      const result = await placeHold(
        draft.slot,
        draft.search.type,
        moved,
        draft.step === 'payment',
      );
      if (result.kind !== 'answer') throw new ApiError(result);
      return result.answer.extras.hold;
    },
    {
      onDone: (hold) => queryClient.setQueryData(holdQuery.queryKey, hold),
      onFailed: (error) => {
        if (error instanceof ApiError && isSlotLost(error.code))
          send({ type: 'slotLost', message: messageOf(error, t('booking.slotLost')) });
      },
    },
  );
  const lapsed = state.kind === 'lapsed';
  if (!lapsed && !(state.kind === 'held' && state.secondsLeft <= OFFER_SECONDS)) return null;
  return (
    <Notice kind="caution" role={lapsed ? 'alert' : 'note'} unasked>
      <p>
        {lapsed
          ? t('booking.holdLapsed')
          : t('booking.heldUntil', { time: formatTime(state.until) })}
      </p>
      <div>
        <Button
          variant="secondary"
          busy={renew.pending}
          busyLabel={t('booking.keeping')}
          onClick={() => renew.run()}
        >
          {t(lapsed ? 'booking.holdAgain' : 'booking.keepLonger')}
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
  if (state.kind === 'lapsed') return <span>{t('booking.noLongerHeld')}</span>;
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
