import {
  WINDOW_DAYS,
  addDays,
  datesOf,
  dayRuler,
  earliestFree,
  isFarEnoughAhead,
  stepAt,
  toClinic,
  whyDoctorHidden,
} from '@clinic/domain';
import type {
  AppointmentTypeCode,
  ClinicDate,
  DateSpan,
  DoctorHiddenReason,
  EpochSeconds,
  FreeSpan,
} from '@clinic/domain';

import type { Platform } from '../../platform.ts';
import { isDoctorActive } from '../records/index.ts';
import { type VersionOf, keptByVersion, stretchesOn, takenByDay, takenOn } from './answer.ts';
import { listProviders, readTaken, whyNotOpen } from './store.ts';
import type {
  AskedOfType,
  LengthFacts,
  ListedProvider,
  PatientOfType,
  ProviderDayRow,
  TakenFacts,
  TakenTime,
} from './store.ts';

/** Days from today. Most searches end in the first days, so what is taken of these is read alone. */
const PARTS = [
  [0, 6],
  [7, 27],
  [28, WINDOW_DAYS],
] as const;

/** The providers' days by date, and what decides the lengths on them. */
export interface WindowFacts {
  readonly days: ReadonlyMap<ClinicDate, readonly ProviderDayRow[]>;
  readonly lengths: LengthFacts;
}

/**
 * The templates of the whole booking window, read again only when one of them, a provider, a policy,
 * a type or a slot code has changed: bookings leave them as they are. `today` is the window's first
 * day.
 */
export function windowFacts(
  versionOf: VersionOf,
  readDays: (range: DateSpan) => Promise<readonly ProviderDayRow[]>,
  readLengths: () => Promise<LengthFacts>,
): (today: ClinicDate) => Promise<WindowFacts> {
  const kept = keptByVersion<WindowFacts>(1);

  async function read(from: ClinicDate): Promise<WindowFacts> {
    const range = { from, to: addDays(from, WINDOW_DAYS) };
    const [rows, lengths] = await Promise.all([readDays(range), readLengths()]);
    return { days: Map.groupBy(rows, ({ date }) => date), lengths };
  }

  return async (today) => {
    const version = await versionOf(null);
    return kept.get(today, version) ?? kept.set(today, version, read(today));
  };
}

export interface EarliestPorts extends Pick<Platform, 'database' | 'emr'> {
  readonly takenTime: TakenTime;
  readonly patientOfType: (asked: AskedOfType) => Promise<PatientOfType>;
  /** The templates of the window that begins on a day. */
  readonly windowFacts: (today: ClinicDate) => Promise<WindowFacts>;
}

interface EarliestQuestion {
  readonly patientId: string;
  readonly type: AppointmentTypeCode;
  /** Null for all providers. */
  readonly providerId: string | null;
}

type EarliestRefusal = 'typeNotOffered' | 'bookingBlocked' | 'primaryDoctorUnknown';

/**
 * The earliest slot that this patient may hold, over the whole window, or null; or why there is no
 * search. What the patient holds counts as free, as in the schedule. The booking limits are not asked:
 * they depend on the day that the patient chooses.
 */
export async function earliestSlot(
  ports: EarliestPorts,
  question: EarliestQuestion,
  now: EpochSeconds,
): Promise<{ readonly slot: FreeSpan | null } | EarliestRefusal> {
  const { db } = ports.database;
  const { patientId, type, providerId } = question;
  const today = toClinic(now).date;
  const readPart = async ([from, to]: readonly [number, number]) => {
    const range = { from: addDays(today, from), to: addDays(today, to) };
    return { range, ...(await readTaken(db, ports.takenTime, { ...range, providerId }, now)) };
  };
  const [patient, listed, offered, first] = await Promise.all([
    ports.patientOfType({ patientId, type, day: today }),
    listProviders(db),
    ports.windowFacts(today),
    readPart(PARTS[0]),
  ]);
  if (patient.bookingBlocked) return 'bookingBlocked';
  const closed = whyNotOpen(patient);
  if (closed) return closed;
  const asked = listed.filter(({ id }) => providerId === null || id === providerId);
  const hidden = await whyHiddenEach(ports, patient, asked);
  if (providerId !== null && hidden.get(providerId) === 'primaryDoctorUnknown')
    return 'primaryDoctorUnknown';
  const isOpen = (doctor: string) => hidden.get(doctor) === null;
  if (!asked.some(({ id }) => isOpen(id))) return { slot: null };
  for (const part of PARTS) {
    const taken = part === PARTS[0] ? first : await readPart(part);
    const slot = earliestIn({ ...offered, isOpen, ...taken }, question, now);
    if (slot) return { slot };
  }
  return { slot: null };
}

/** Why each doctor's slots are hidden; the records are asked only when a doctor depends on them. */
async function whyHiddenEach(
  ports: Pick<Platform, 'database' | 'emr'>,
  patient: PatientOfType,
  doctors: readonly ListedProvider[],
): Promise<ReadonlyMap<string, DoctorHiddenReason | null>> {
  const why = (hasActivePrimaryDoctor: boolean | 'unknown') => {
    const facts = { type: patient, patient: { ...patient, hasActivePrimaryDoctor } };
    return new Map(
      doctors.map((doctor) => [
        doctor.id,
        whyDoctorHidden({ ...facts, doctor, status: doctor.status }),
      ]),
    );
  };
  const unasked = why('unknown');
  if (![...unasked.values()].includes('primaryDoctorUnknown')) return unasked;
  return why(await isDoctorActive(ports, patient.recordId));
}

interface PartFacts extends TakenFacts, WindowFacts {
  readonly range: DateSpan;
  readonly isOpen: (doctor: string) => boolean;
}

/** Day after day, so that nothing is counted beyond the day that has a free slot. */
function earliestIn(
  { range, days, lengths, isOpen, taken, holds }: PartFacts,
  { patientId, type }: EarliestQuestion,
  now: EpochSeconds,
): FreeSpan | null {
  const own = holds.find((hold) => hold.patientId === patientId) ?? null;
  const dates = datesOf(range);
  const rulers = dates.map(dayRuler);
  const firsts = rulers.map(({ start }) => start);
  const takenBy = new Map(taken.map((each) => [each.providerId, takenByDay(firsts, each, own)]));
  const held = own !== null && own.type === type && isOpen(own.providerId) ? own : null;
  for (const [at, ruler] of rulers.entries()) {
    const rows = (days.get(dates[at] ?? '') ?? [])
      .filter(({ providerId }) => isOpen(providerId))
      .map((row) => ({
        doctor: row.providerId,
        stretches: stretchesOn(row, ruler, lengths, type),
        taken: takenOn(row, ruler, lengths, {
          booked: takenBy.get(row.providerId)?.[at] ?? [],
          now,
        }),
      }));
    const free = earliestFree(ruler, rows, now);
    const isHeldFirst =
      held !== null &&
      stepAt(ruler, held.start) !== null &&
      isFarEnoughAhead(held.start, now) &&
      held.start < (free?.start ?? Infinity);
    if (isHeldFirst) return { doctor: held.providerId, start: held.start, end: held.end };
    if (free) return free;
  }
  return null;
}
