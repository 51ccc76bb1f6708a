import {
  STEP_SECONDS,
  WINDOW_DAYS,
  addDays,
  datesOf,
  dayRuler,
  daysBetween,
  isFarEnoughAhead,
  isInsideWindow,
  starts,
  stepAt,
  stepStart,
  toClinic,
} from '@clinic/domain';
import type { ClinicDate, EpochSeconds, FreeSpan } from '@clinic/domain';

import type { Platform } from '../../platform.ts';
import { lengthsOf, stretchesOn } from './schedule-response.ts';
import { type DayFacts, factsOfDays, takenOn } from './days.ts';
import { type OpenToPorts, doctorsOpenTo, whyHiddenEach } from './earliest-slot.ts';
import type { RecordWhoBooks } from '../records/index.ts';
import { listProviders, readDays, readLengths, readTaken } from './store.ts';
import { patientsOfTypes, recordOfType } from './types.store.ts';
import type { ProviderDayRow, TakenTime } from './store.ts';
import type { PatientsWhoBook } from './types.store.ts';

/** How many days are read at once: most searches end in the first read. */
const DAYS_AT_ONCE = 7;

export interface FreeTimesPorts extends Pick<Platform, 'database' | 'emr'> {
  readonly takenTime: TakenTime;
  readonly patientsWhoBook: PatientsWhoBook;
}

interface TimesOfType {
  readonly type: string;
  readonly from: ClinicDate;
  readonly most: number;
}

interface AskedAtDesk extends TimesOfType {
  /** The id of an account, or a record without one. */
  readonly whose: string | RecordWhoBooks;
  /** Null for all providers whom this patient may see; a named one may be hidden from the patient. */
  readonly providerId: string | null;
  readonly notBefore: EpochSeconds;
}

/**
 * The first free times of a type from a day on, in the order of the clock. Staff may override what keeps
 * the patient from booking them.
 */
export async function freeTimes(
  ports: FreeTimesPorts,
  { whose, providerId, notBefore, ...question }: AskedAtDesk,
  now: EpochSeconds,
): Promise<readonly FreeSpan[]> {
  const { db } = ports.database;
  const asked = { type: question.type, day: toClinic(now).date };
  const [patient] =
    typeof whose === 'string'
      ? await patientsOfTypes(db, ports.patientsWhoBook, [{ ...asked, patientId: whose }])
      : await recordOfType(db, whose, asked);
  if (patient === undefined || patient.chargeCents === null) return [];
  const providers = await listProviders(db);
  const hidden = await whyHiddenEach(ports, patient, providers);
  const isOpen = (doctor: string) =>
    providerId === null ? hidden.get(doctor) === null : doctor === providerId;
  const isLeft = ({ start }: FreeSpan) => start >= notBefore;
  const [found = []] = await freeTimesFor(ports, [{ ...question, isOpen }], now, isLeft);
  return found;
}

/**
 * The first free times that each patient may book online, for several questions, in their order;
 * questions from the same day on share their reads. Leaves out the times for which `isLeft` is false.
 */
export async function freeTimesOfEach(
  ports: Omit<FreeTimesPorts, 'emr'> & OpenToPorts,
  questions: readonly (TimesOfType & { readonly patientId: string })[],
  now: EpochSeconds,
  isLeft: (time: FreeSpan) => boolean,
): Promise<readonly (readonly FreeSpan[])[]> {
  const open = await doctorsOpenTo(ports, questions, now);
  const each = questions.map((question, at) => ({
    ...question,
    isOpen: (doctor: string) => open[at]?.has(doctor) === true,
  }));
  return freeTimesFor(ports, each, now, isLeft);
}

async function freeTimesFor(
  ports: Omit<FreeTimesPorts, 'emr'>,
  questions: readonly (TimesOfType & { readonly isOpen: (doctor: string) => boolean })[],
  now: EpochSeconds,
  isLeft: (time: FreeSpan) => boolean,
): Promise<readonly (readonly FreeSpan[])[]> {
  const today = toClinic(now).date;
  const last = addDays(today, WINDOW_DAYS);
  const known = new Map<ClinicDate, Promise<readonly DayFacts[]>>();
  const daysFrom = (day: ClinicDate) => {
    const read = known.get(day) ?? daysAt(ports, day, now);
    known.set(day, read);
    return read;
  };
  const freeOfType = new Map<string, readonly FreeSpan[]>();
  const freeOnce = (facts: DayFacts, type: string) => {
    const key = `${facts.date} ${type}`;
    const free = freeOfType.get(key) ?? freeOn(facts, type, now).filter(isLeft);
    freeOfType.set(key, free);
    return free;
  };
  const answers: FreeSpan[][] = [];
  for (const { type, from, most, isOpen } of questions) {
    const found: FreeSpan[] = [];
    answers.push(found);
    const first = from < today ? today : from;
    for (let day = first; day <= last && found.length < most; day = addDays(day, DAYS_AT_ONCE))
      for (const facts of await daysFrom(day))
        found.push(...freeOnce(facts, type).filter(({ doctor }) => isOpen(doctor)));
    found.splice(most);
  }
  return answers;
}

/** So many days from a date on, as far as they are in the window. */
async function daysAt(
  { database: { db }, takenTime }: Pick<FreeTimesPorts, 'database' | 'takenTime'>,
  from: ClinicDate,
  now: EpochSeconds,
  days = DAYS_AT_ONCE,
): Promise<readonly DayFacts[]> {
  const last = addDays(toClinic(now).date, WINDOW_DAYS);
  const range = { from, to: addDays(from, Math.min(days - 1, daysBetween(from, last))) };
  const [lengths, rows, taken] = await Promise.all([
    readLengths(db),
    readDays(db, range),
    readTaken(db, takenTime, range, now),
  ]);
  const byDay = Map.groupBy(rows, ({ date }) => date);
  return factsOfDays(datesOf(range), (date) => byDay.get(date) ?? [], { lengths, ...taken }, now);
}

const freeOn = (day: DayFacts, type: string, now: EpochSeconds): FreeSpan[] =>
  day.rows
    .flatMap((row) => freeIn(stretchesOn(row, day.ruler, day.lengths, type), row, day, now))
    .sort((one, other) => one.start - other.start);

const freeIn = (
  stretches: ReturnType<typeof stretchesOn>,
  row: ProviderDayRow,
  day: DayFacts,
  now: EpochSeconds,
): FreeSpan[] =>
  starts(stretches, takenOn(day, row, null)).flatMap(({ step, steps }) => {
    const start = stepStart(day.ruler, step);
    const isOpen = start !== null && isFarEnoughAhead(start, now) && isInsideWindow(start, now);
    return isOpen ? [{ doctor: row.providerId, start, end: start + steps * STEP_SECONDS }] : [];
  });

/** The third free time of a provider and a type; null when the booking window has fewer. */
interface ThirdNext {
  readonly providerId: string;
  readonly type: string;
  readonly start: EpochSeconds | null;
}

/**
 * The third next available appointment of each provider and type: the first two may be gaps that a
 * cancellation has left. Only for types that the provider offers within the window, and for a patient
 * without restrictions.
 */
export async function thirdNextTimes(
  ports: Pick<FreeTimesPorts, 'database' | 'takenTime'>,
  types: readonly string[],
  now: EpochSeconds,
): Promise<ThirdNext[]> {
  const today = toClinic(now).date;
  const last = addDays(today, WINDOW_DAYS);
  const found = new Map<string, Pick<ThirdNext, 'providerId' | 'type'> & { starts: number[] }>();
  for (let day = today; day <= last; day = addDays(day, DAYS_AT_ONCE))
    for (const facts of await daysAt(ports, day, now))
      for (const row of facts.rows)
        for (const type of types) {
          const { providerId } = row;
          const key = `${providerId} ${type}`;
          const before = found.get(key)?.starts ?? [];
          if (before.length >= THIRD) continue;
          const stretches = stretchesOn(row, facts.ruler, facts.lengths, type);
          if (stretches.length === 0) continue;
          const free = freeIn(stretches, row, facts, now).map(({ start }) => start);
          found.set(key, { providerId, type, starts: [...before, ...free] });
        }
  return [...found.values()].map(({ starts: times, ...of }) => ({
    ...of,
    start: times[THIRD - 1] ?? null,
  }));
}

const THIRD = 3;

/** A walk-in begins within this many steps, which are an hour. */
const WALK_IN_STEPS = 12;

/**
 * When a walk-in patient can be seen: for each provider, the first working time within the hour that is
 * free for the length of the type, whichever types its codes are for.
 */
export async function walkInTimes(
  ports: FreeTimesPorts,
  type: string,
  now: EpochSeconds,
): Promise<FreeSpan[]> {
  const today = toClinic(now).date;
  const [day] = await daysAt(ports, today, now, 1);
  if (day === undefined) return [];
  const ruler = dayRuler(today);
  return day.rows.flatMap((row) => {
    const known = lengthsOf(day.lengths, row.providerId, type);
    if (known === null || known.pace?.offers === false) return [];
    const [usual = known.type.minutes] = known.served.values();
    const minutes = known.pace?.minutes ?? usual;
    const booked = new Set(day.booked.get(row.providerId));
    const isFree = (at: EpochSeconds) => {
      const step = stepAt(ruler, at);
      return step !== null && (row.codes[step] ?? '_') !== '_' && !booked.has(at);
    };
    const begin = now - (now % STEP_SECONDS);
    for (let ahead = 0; ahead < WALK_IN_STEPS; ahead++) {
      const start = begin + ahead * STEP_SECONDS;
      const steps = Array.from({ length: minutes / 5 }, (_, at) => start + at * STEP_SECONDS);
      if (steps.every(isFree))
        return [{ doctor: row.providerId, start, end: start + minutes * 60 }];
    }
    return [];
  });
}
