import { useQueryClient } from '@tanstack/react-query';
import { formatTime } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { VisuallyHidden } from '@clinic/ui/visually-hidden';
import { t } from '../../../messages/t.ts';
import { messageOf } from '../../../api/api-error.ts';
import { useAction } from '../../../shared/use-action.ts';
import type { Draft, OpenJourney } from '../journey.ts';
import styles from './hold-notice.module.css';
import type { HoldState } from './hold-state.ts';
import { renewHold } from './renew-hold.ts';

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
  if (state.kind === 'asking' || (held && state.secondsLeft > OFFER_SECONDS)) return null;
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
