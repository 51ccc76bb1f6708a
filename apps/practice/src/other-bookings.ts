import {
  addDays,
  isAppointmentTypeCode,
  scheduledSlots,
  startOfDay,
  toInstant,
} from '@clinic/domain';
import type { ClinicDate } from '@clinic/domain';
import type { SeededAppointment } from './insert-appointments.ts';
import type { CodesOn } from './appointments.ts';

const DAYS = 10;
const SEED = 20_261_121;
/** Nine o'clock: before it, 101 stays free for whoever tries the clinic. */
const KEPT_FREE = { providerId: '101', until: '09:00' };

const FIRST_NAMES = ['Ana', 'Ben', 'Chi', 'Dana', 'Emil', 'Fay', 'Gus', 'Hua', 'Ian', 'Joy'];
const LAST_NAMES = ['Abbott', 'Brandt', 'Cheng', 'Demir'];

/** Patients of the clinic without an account. */
export const otherRecords = () =>
  LAST_NAMES.flatMap((lastName, m) =>
    FIRST_NAMES.map((firstName, n) => ({
      id: `R${m}${n}`,
      firstName,
      lastName,
      birthDate: `19${50 + m * 10 + n}-0${1 + m}-1${n}`,
      providerId: '101',
      cardProvince: 'BC',
    })),
  );

/** About a third of the next ten days, the same at every seeding. */
export function otherAppointments(
  providerIds: readonly string[],
  codesOn: CodesOn,
  today: ClinicDate,
  taken: readonly SeededAppointment[],
): SeededAppointment[] {
  const chance = mulberry32(SEED);
  const records = otherRecords();
  const isTaken = new Set(taken.map(({ providerId, start }) => `${providerId}/${start}`));
  const appointments: SeededAppointment[] = [];
  for (let ahead = 0; ahead < DAYS; ahead++) {
    const date = addDays(today, ahead);
    const keptFrom = startOfDay(date);
    const keptUntil = toInstant(date, KEPT_FREE.until);
    for (const providerId of providerIds)
      for (const { code, start } of scheduledSlots({ date, template: codesOn(providerId, date) })) {
        const picked = chance() < 1 / 3;
        const record = records[Math.floor(chance() * records.length)];
        const keptFree =
          providerId === KEPT_FREE.providerId && start >= keptFrom && start < keptUntil;
        if (!picked || !record || keptFree || isTaken.has(`${providerId}/${start}`)) continue;
        if (!isAppointmentTypeCode(code)) continue;
        appointments.push({
          patient: null,
          recordId: record.id,
          providerId,
          start,
          type: code,
          state: 'booked',
        });
      }
  }
  return appointments;
}

/** A small generator of numbers from 0 to 1 that a seed decides. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
