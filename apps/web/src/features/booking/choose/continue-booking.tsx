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
import type { ApiHold } from '@clinic/contract';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { locale, t } from '../../../messages/t.ts';
import { doctorOf, forgetDays, holdQuery, type BookingData } from '../booking-data.ts';
import type { HeldDraft, OpenJourney } from '../journey.ts';
import styles from './continue-booking.module.css';
import { lengthWords } from '../../../shared/appointment-length.ts';
import { releaseHold } from '../hold/hold-calls.ts';
import { lengthsDiffer } from './type-choice.tsx';
import { useClinicNow } from '../../../api/clock.ts';

/** On home, while the service still holds a time: the way back into that booking. */
export function ContinueBooking({ data, send }: { data: BookingData; send: OpenJourney['send'] }) {
  const queryClient = useQueryClient();
  const { data: hold } = useQuery(holdQuery);
  const now = useClinicNow();
  const type = data.types.find(({ code }) => code === hold?.type);
  if (!hold || hold.confirming || !type || hold.expiresAt <= now) return null;

  const giveBack = () => {
    queryClient.setQueryData(holdQuery.queryKey, null);
    void forgetDays(queryClient);
    void releaseHold(keyOfHold(hold.id), { evenByClinic: hold.byClinic === true });
  };
  const said = {
    description: type.description,
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
      <div className={styles.actions}>
        <Button onClick={() => send({ type: 'resume', held: heldDraft(hold, type.form) })}>
          {t('booking.continue')}
        </Button>
        <Button variant="quiet" onClick={giveBack}>
          {t('booking.giveBack')}
        </Button>
      </div>
    </Notice>
  );
}

const modeOfHold = (type: AppointmentType, { draft }: ApiHold) =>
  appointmentMode(type, draft?.contactPreference ?? null);

/** The journey of a hold, from confirm on. */
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
