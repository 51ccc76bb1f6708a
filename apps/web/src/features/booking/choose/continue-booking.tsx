import { formatMoment } from '@clinic/texts';
import {
  appointmentMode,
  doctorName,
  formatTime,
  keyOfHold,
  toClinic,
  type AppointmentForm,
  type AppointmentType,
} from '@clinic/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ApiHold } from '@clinic/contract';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { focusIfLost } from '@clinic/ui/focus';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { locale, t } from '../../../messages/t.ts';
import { typeName } from '../../../shared/clinic-words.tsx';
import { doctorOf, forgetDays, holdQuery, type StepProps } from '../booking-data.ts';
import { sameSlot, type HeldDraft } from '../journey.ts';
import styles from './continue-booking.module.css';
import { lengthWords } from '../../../shared/appointment-length.ts';
import { lookAt, releaseHold } from '../hold/hold-calls.ts';
import { lengthsDiffer } from './type-choice.tsx';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { useClinicNow } from '@clinic/app/use-clock';
import { takeAnswer } from '../../../api/query-client.ts';
import { announce } from '../../../shared/shell/alerts.tsx';
import { useAction } from '../../../shared/use-action.ts';

/** On home, while the service holds a time: the way back into that booking. */
export function ContinueBooking({ data, send }: Pick<StepProps<'schedule'>, 'data' | 'send'>) {
  const queryClient = useQueryClient();
  const { data: hold } = useQuery(holdQuery);
  const type = data.types.find(({ code }) => code === hold?.type);
  const now = useClinicNow();
  /** Null once the notice is gone. */
  const buttons = useRef<HTMLDivElement>(null);
  const giveBack = useAction({
    work: async ({ id, byClinic }: ApiHold) => {
      const key = keyOfHold(id);
      const released = await releaseHold(key, { evenByClinic: byClinic === true });
      if (released.kind !== 'answer') throw new ApiError(released);
      // The patient may have booked it on another device: then there was nothing to release.
      const { became } = await lookAt(key);
      if (became.kind === 'held') throw new Error('Released, and still held');
      return became;
    },
    onDone: (became) => {
      const isHere = buttons.current !== null;
      // The notice disappears together with the pressed button.
      if (isHere) focusIfLost(document.querySelector('h1'), buttons.current);
      takeAnswer(queryClient, holdQuery, null);
      void forgetDays(queryClient);
      if (became.kind !== 'booked') announce('success', t('booking.released'));
      else if (isHere) send({ type: 'booked', booked: became.booked });
    },
    onFailed: (error) => {
      void queryClient.invalidateQueries({ queryKey: holdQuery.queryKey });
      if (buttons.current === null) announce('error', messageOf(error, t('booking.stillHeld')));
    },
  });
  /** Continues with the hold and its draft as they are now, whatever this page has heard. */
  const goOn = useAction({
    work: async (offered: ApiHold) => {
      try {
        return await lookAt(keyOfHold(offered.id));
      } catch {
        // Without an answer the patient goes on, and hears of the rest on the next page.
        return { became: { kind: 'held' }, hold: offered } as const;
      }
    },
    onDone: ({ became, hold: now }, offered) => {
      takeAnswer(queryClient, holdQuery, now);
      if (buttons.current === null || !type) return;
      if (now && sameSlot(now, offered)) send({ type: 'resume', held: heldDraft(now, type.form) });
      else if (became.kind === 'booked') send({ type: 'booked', booked: became.booked });
      else announce('info', t(now ? 'booking.holdMoved' : 'booking.holdLapsed'));
    },
  });
  if (!hold || hold.confirming || !type || hold.expiresAt <= now) return null;

  const said = {
    description: typeName(type),
    doctor: doctorName(doctorOf(data, hold.doctor)),
    when: formatMoment(locale(), hold.start),
  };
  return (
    <Notice title={t(hold.byClinic ? 'booking.payTitle' : 'booking.continueTitle')} role="status">
      <p>
        {hold.byClinic
          ? t('booking.payText', { ...said, until: formatMoment(locale(), hold.expiresAt) })
          : t('booking.continueText', { ...said, until: formatTime(hold.expiresAt) })}
      </p>
      {lengthsDiffer(data.types) && <p>{lengthWords({ ...hold, mode: modeOfHold(type, hold) })}</p>}
      <div
        ref={buttons}
        className={styles.actions}
        data-acts-on={`${hold.id} ${hold.start} ${hold.doctor}`}
      >
        <Button disabled={giveBack.pending} busy={goOn.pending} onClick={() => goOn.run(hold)}>
          {t('booking.continue')}
        </Button>
        <Button
          variant="quiet"
          busy={giveBack.pending}
          busyLabel={t('booking.givingBack')}
          disabled={goOn.pending}
          onClick={() => giveBack.run(hold)}
        >
          {t('booking.giveBack')}
        </Button>
      </div>
      <ActionOutcome press={giveBack.press} kind="caution">
        {giveBack.error && messageOf(giveBack.error, t('booking.stillHeld'))}
      </ActionOutcome>
    </Notice>
  );
}

const modeOfHold = (type: AppointmentType, { draft }: ApiHold) =>
  appointmentMode(type, draft?.contactPreference ?? null);

/** Builds the journey of a hold, from the confirm step on. */
export function heldDraft(hold: ApiHold, form: AppointmentForm): HeldDraft {
  const { type, doctor, start, end } = hold;
  return {
    search: { type, doctor: { id: doctor }, date: toClinic(start).date },
    slot: { doctor, start, end },
    form,
    requestKey: keyOfHold(hold.id),
    answers: hold.draft,
    rescheduleOf: hold.rescheduleOf === null ? null : { appointmentId: hold.rescheduleOf, type },
  };
}
