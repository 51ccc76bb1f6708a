import { formatDay } from '@clinic/texts';
import {
  doctorName,
  ELIGIBILITY_RULES,
  formatTime,
  gives,
  offeredTypes,
  toClinic,
  whyOverLimit,
  type AppointmentType,
  type Doctor,
} from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarCheck } from 'lucide-react';
import { locale, t } from '../../../messages/t.ts';
import { clinicNow } from '@clinic/app/clock';
import { useClinicNow } from '@clinic/app/use-clock';
import { takeAnswer } from '../../../api/query-client.ts';
import { TypeName, typeName } from '../../../shared/clinic-words.tsx';
import { minutesWords } from '../../../shared/appointment-length.ts';
import { useAction } from '../../../shared/use-action.ts';
import { holdTime, TimeLost, whyNotHeld } from '../hold/hold-time.ts';
import { WhyNotHeld } from '../hold/problem-words.tsx';
import type { OpenJourney, PickedSlot, Search } from '../journey.ts';
import {
  doctorOf,
  earliestQuery,
  forgetDays,
  holdQuery,
  standingOf,
  type BookingData,
} from '../booking-data.ts';
import { feeWords } from '../appointment-summary.tsx';
import { lengthsDiffer } from './type-choice.tsx';
import styles from './book-again.module.css';
import { heldDraft } from './continue-booking.tsx';
import { doctorRows } from './doctor-choice.tsx';

/** Type and doctor of the patient's last appointment, if they can be booked again. */
interface Last {
  readonly type: AppointmentType;
  /** Null where that doctor can no longer be chosen or does not give the type. */
  readonly doctor: Doctor | null;
}

function lastOf({ appointments, config, ...data }: BookingData): Last | null {
  const now = clinicNow();
  const hasMedicationSite = Boolean(config?.medicationSiteUrl);
  const offered = offeredTypes(data.types, { doctor: null }, { hasMedicationSite });
  const past = (appointments ?? [])
    .filter(({ startTime }) => startTime <= now)
    .filter(({ status }) => status !== 'cancelled' && status !== 'rescheduled')
    .toSorted((one, other) => other.startTime - one.startTime);
  for (const { code, doctor: id } of past) {
    const type = offered.find((one) => one.code === code);
    if (!type) continue;
    const rows = doctorRows(data.doctors, data.statuses, type, data.patient);
    const row = rows.find(({ doctor, refusal }) => doctor.id === id && refusal === null);
    return { type, doctor: row && gives(row.doctor, type) ? row.doctor : null };
  }
  return null;
}

interface BookAgainProps extends OpenJourney {
  data: BookingData;
  /** True while the checks that come before the times are running. */
  checking: boolean;
  /** Chooses this type and doctor, and goes on to the times. */
  onSearch: (search: Search) => void;
}

/**
 * Offers a returning patient the same type and doctor, at the next free time or another. Shows
 * nothing where a limit refuses every booking, or while the patient holds a time.
 */
export function BookAgain(props: BookAgainProps) {
  const { data, journey } = props;
  const { data: hold } = useQuery(holdQuery);
  const now = useClinicNow();
  const last = lastOf(data);
  if (journey.rescheduleOf !== null || data.user.isBlocked || last === null) return null;
  if (hold && hold.expiresAt > now) return null;
  if (whyOverLimit(now, standingOf(data, now), false, now) !== null) return null;
  return <Again {...props} last={last} />;
}

function Again({ data, last, send, checking, onSearch }: BookAgainProps & { last: Last }) {
  const queryClient = useQueryClient();
  const { type, doctor } = last;
  const search = {
    type: type.code,
    doctor: doctor === null ? 'earliest' : { id: doctor.id },
  } as const;
  const next = useNextTime(data, last);

  const hold = useAction({
    work: (slot: PickedSlot) =>
      holdTime(queryClient, {
        patientId: data.user.id,
        slot,
        type: type.code,
        rescheduleOf: null,
      }),
    onDone: (became) => {
      if ('booked' in became) {
        send({ type: 'booked', booked: became.booked });
        return;
      }
      takeAnswer(queryClient, holdQuery, became.held);
      send({ type: 'resume', held: heldDraft(became.held, type.form) });
    },
    onFailed: async (error, slot) => {
      if (!(error instanceof TimeLost)) return;
      // Shows the times around the lost one, with the reason above them.
      await forgetDays(queryClient);
      const { date } = toClinic(slot.start);
      send({ type: 'choose', search: { ...search, date } });
      send({ type: 'search', firstDay: date, notice: whyNotHeld(error) });
    },
  });

  return (
    <Card as="section" className={styles.card} aria-labelledby="book-again">
      <h2 id="book-again" className={styles.title}>
        {t('booking.againTitle')}
      </h2>
      <p className={styles.what}>
        {doctor === null ? (
          <TypeName of={type} />
        ) : (
          t('booking.againWhat', { description: typeName(type), doctor: doctorName(doctor) })
        )}
        {next.slot !== null &&
          lengthsDiffer(data.types) &&
          ` · ${minutesWords((next.slot.end - next.slot.start) / 60)}`}
        {' · '}
        {feeWords(type.chargeCents)}
      </p>
      <div className={styles.ways}>
        <div className={styles.next}>
          {next.isPending && <p role="status">{t('booking.againLooking')}</p>}
          {!next.isPending && next.slot === null && <p>{t('booking.againNone')}</p>}
          {next.slot !== null && (
            <Button
              wide
              actsOn={`${next.slot.start} ${next.slot.doctor} ${type.chargeCents}`}
              busy={hold.pending}
              busyLabel={t('booking.holding', { time: formatTime(next.slot.start) })}
              icon={<CalendarCheck size={20} aria-hidden="true" />}
              onClick={() => next.slot && hold.run(next.slot)}
            >
              {t('booking.nextAvailable', {
                day: formatDay(locale(), toClinic(next.slot.start).date),
                time: formatTime(next.slot.start),
                doctor: doctorName(doctorOf(data, next.slot.doctor)),
              })}
            </Button>
          )}
        </div>
        <Button
          variant="secondary"
          busy={checking}
          busyLabel={t('booking.checking')}
          onClick={() => onSearch({ ...search, date: null })}
        >
          {t('booking.again')}
        </Button>
      </div>
      <ActionOutcome press={hold.press}>
        {hold.error && <WhyNotHeld error={hold.error} />}
      </ActionOutcome>
    </Card>
  );
}

/** The earliest time with that doctor, else with any doctor; null where a limit would refuse it. */
function useNextTime(data: BookingData, { type, doctor }: Last) {
  const own = useQuery(earliestQuery(type.code, doctor?.id ?? '-1'));
  const isFull = doctor !== null && own.data === null;
  const any = useQuery({ ...earliestQuery(type.code, '-1'), enabled: isFull });
  const slot = own.data ?? any.data ?? null;
  const now = clinicNow();
  const { oncePerDay } = ELIGIBILITY_RULES[data.user.eligibility];
  const limit = slot && whyOverLimit(slot.start, standingOf(data, now), oncePerDay, now);
  return { isPending: own.isPending || any.isLoading, slot: limit === null ? slot : null };
}
