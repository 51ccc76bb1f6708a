import {
  type AppointmentTypeCode,
  SPECIFIED_NAMES,
  type ClinicDate,
  FEE_MEANS,
  type FeeMeans,
  addDays,
  isAppointmentTypeCode,
  scheduledSlots,
  toClinic,
  toInstant,
} from '@clinic/domain';

export interface SeededPatient {
  readonly id: string;
  readonly recordId: string;
  readonly eligibility: string;
}

export interface SeededAppointment {
  readonly patient: SeededPatient | null;
  readonly recordId: string;
  readonly providerId: string;
  readonly start: number;
  readonly type: AppointmentTypeCode;
  /** 5 by default. */
  readonly minutes?: number;
  readonly state: 'booked' | 'registered' | 'cancelled' | 'completed' | 'no-show';
  readonly paidCents?: number;
  readonly checkin?: string;
  /** How the fee was taken at the desk, before the first start. */
  readonly takenBy?: FeeMeans;
  readonly isReschedulable?: boolean;
}

/** A provider's codes on a date, as seeded. */
export type CodesOn = (providerId: string, date: ClinicDate) => string;

const HOUR = 3600;
const NURSE = '106';

/** The appointments of the practice accounts, around the first start. */
export function accountAppointments(
  patients: ReadonlyMap<string, SeededPatient>,
  codesOn: CodesOn,
  now: number,
): SeededAppointment[] {
  const today = toClinic(now).date;
  const appointments: SeededAppointment[] = [];
  const at = (days: number, time: string) => toInstant(addDays(today, days), time);
  const add = (name: string, appointment: Omit<SeededAppointment, 'patient' | 'recordId'>) => {
    const patient = patients.get(name);
    if (!patient) throw new Error(`There is no practice account ${name}`);
    appointments.push({ patient, recordId: patient.recordId, ...appointment });
  };
  const of101 = { providerId: '101', type: 'O', state: 'booked' } as const;

  add('casey', { ...of101, start: at(3, '08:00') });
  add('casey', { ...of101, start: at(-12, '11:10'), state: 'completed' });
  add('casey', { ...of101, start: at(-33, '09:20'), type: 'P', state: 'completed' });
  add('casey', { ...of101, start: at(-58, '11:30'), state: 'no-show' });
  add('casey', { ...of101, start: at(-120, '08:40'), providerId: '990', state: 'completed' });
  add('casey', { ...of101, start: at(-200, '09:05'), providerId: '104', state: 'registered' });
  add('casey', { ...of101, start: at(-20, '11:45'), state: 'cancelled' });
  add('casey', { ...of101, start: at(-75, '09:50'), type: 'P', state: 'cancelled' });
  add('vera', { ...of101, start: at(5, '13:20'), type: 'V', paidCents: 20_000 });
  add('rosa', { ...of101, start: at(4, '17:25'), type: 'PP', paidCents: 7_500 });
  add('two', {
    ...of101,
    start: nearestSlot({ hours: 12, from: 7, to: 23 }),
    providerId: NURSE,
  });
  add('two', {
    ...of101,
    start: at(6, '11:15'),
    state: 'registered',
    checkin: 'B7',
    isReschedulable: false,
  });
  add('soon', {
    ...of101,
    start: nearestSlot({ hours: 3, from: 3, to: 36 }),
    providerId: NURSE,
  });
  return appointments;

  /**
   * The free slot that starts nearest to `hours` ahead, within bounds. Only the nurse practitioner has
   * in-person slots from the first hour to the last, so there is always one within 16 hours.
   */
  function nearestSlot(wanted: { hours: number; from: number; to: number }): number {
    const taken = new Set(
      appointments.flatMap(({ providerId, start }) => (providerId === NURSE ? [start] : [])),
    );
    const ahead = (start: number) => (start - now) / HOUR;
    const [start] = [today, addDays(today, 1), addDays(today, 2)]
      .flatMap((date) => scheduledSlots({ date, template: codesOn(NURSE, date) }, SPECIFIED_NAMES))
      .flatMap((slot) => (slot.code === 'O' && !taken.has(slot.start) ? [slot.start] : []))
      .filter((each) => ahead(each) >= wanted.from && ahead(each) <= wanted.to)
      .sort(
        (one, other) => Math.abs(ahead(one) - wanted.hours) - Math.abs(ahead(other) - wanted.hours),
      );
    if (start === undefined) throw new Error('The clinic is closed for too long');
    return start;
  }
}

const DAYS = 10;
/** One in so many of today's appointments has its fee taken at the desk. */
const PAID_EACH = 9;
const SEED = 20_261_121;
/** Provider 101 has nothing before nine o'clock, so that testers find a free time. */
const KEPT_FREE = { providerId: '101', until: '09:00' };

const FIRST_NAMES = ['Ana', 'Ben', 'Chi', 'Dana', 'Emil', 'Fay', 'Gus', 'Hua', 'Ian', 'Joy'];
const LAST_NAMES = ['Abbott', 'Brandt', 'Cheng', 'Demir'];

/** Patients of the clinic who have no account. */
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

/** Books about a third of the next ten days, the same at every seeding. */
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
    const keptUntil = toInstant(date, KEPT_FREE.until);
    for (const providerId of providerIds)
      for (const { code, start } of scheduledSlots(
        { date, template: codesOn(providerId, date) },
        SPECIFIED_NAMES,
      )) {
        const picked = chance() < 1 / 3;
        const record = records[Math.floor(chance() * records.length)];
        const keptFree = providerId === KEPT_FREE.providerId && start < keptUntil;
        if (!picked || !record || keptFree || isTaken.has(`${providerId}/${start}`)) continue;
        if (!isAppointmentTypeCode(code)) continue;
        appointments.push({
          patient: null,
          recordId: record.id,
          providerId,
          start,
          type: code,
          state: 'booked',
          ...takenToday(ahead, appointments.length),
        });
      }
  }
  return appointments;
}

/** Some of today's appointments were paid at the desk, each by another means. */
function takenToday(ahead: number, count: number): Pick<SeededAppointment, 'takenBy'> {
  const takenBy = FEE_MEANS[count / PAID_EACH];
  return ahead === 0 && takenBy !== undefined ? { takenBy } : {};
}

/** A small seeded generator of random numbers from 0 to 1. */
export function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
