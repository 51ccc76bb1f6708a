import {
  WINDOW_DAYS,
  accessOf,
  addDays,
  datesOf,
  earliestFree,
  isFarEnoughAhead,
  starts,
  stepAt,
  toClinic,
  whyDoctorHidden,
} from '@clinic/domain';
import type {
  AppointmentTypeCode,
  DoctorHiddenReason,
  EpochSeconds,
  FreeSpan,
  ProviderDay,
} from '@clinic/domain';

import type { Platform } from '../../platform.ts';
import { isDoctorActive } from '../records/index.ts';
import { stretchesOn } from './schedule-response.ts';
import { ownHold, takenOn } from './days.ts';
import type { DayFacts, OwnHold, ScheduleDays } from './days.ts';
import { listProviders } from './store.ts';
import { patientsOfTypes, whyTypeClosed } from './types.store.ts';
import type { ListedProvider } from './store.ts';
import type { AskedOfType, PatientOfType, PatientsWhoBook } from './types.store.ts';

/** The parts of the window, in days from today. Most searches end in the first, so it is read alone. */
const PARTS = [
  [0, 6],
  [7, 27],
  [28, WINDOW_DAYS],
] as const;

export interface EarliestPorts extends Pick<Platform, 'database' | 'emr'> {
  readonly patientOfType: (asked: AskedOfType) => Promise<PatientOfType>;
  readonly days: ScheduleDays;
}

export interface OpenToPorts extends Pick<Platform, 'database' | 'config'> {
  readonly patientsWhoBook: PatientsWhoBook;
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
 * search. The patient's own hold counts as free, as in the schedule. The booking limits are not
 * checked: they depend on the day that the patient chooses.
 */
export async function earliestSlot(
  ports: EarliestPorts,
  question: EarliestQuestion,
  now: EpochSeconds,
): Promise<{ readonly slot: FreeSpan | null } | EarliestRefusal> {
  const { patientId, type, providerId } = question;
  const today = toClinic(now).date;
  const { days } = ports;
  const patient = await ports.patientOfType({ patientId, type, day: today });
  const { booking } = accessOf(patient.account);
  if (booking !== null) return booking;
  const closed = whyTypeClosed(patient);
  if (closed) return closed;
  const { providers } = await days.rules();
  const asked = providers.filter(({ id }) => providerId === null || id === providerId);
  const hidden = await whyHiddenEach(ports, patient, asked);
  if (providerId !== null && hidden.get(providerId) === 'primaryDoctorUnknown')
    return 'primaryDoctorUnknown';
  const isOpen = (doctor: string) => hidden.get(doctor) === null;
  if (!asked.some(({ id }) => isOpen(id))) return { slot: null };
  for (const [from, to] of PARTS) {
    const part = await days.on(datesOf({ from: addDays(today, from), to: addDays(today, to) }));
    const slot = earliestIn(part, { ...question, isOpen }, now);
    if (slot) return { slot };
  }
  return { slot: null };
}

/**
 * Which doctors each patient may book online for a type; none when that patient may not book it. The EMR
 * is not asked about each patient: what our own records say of their doctor is enough here.
 */
export async function doctorsOpenTo(
  { database, patientsWhoBook, config }: OpenToPorts,
  asked: readonly Omit<AskedOfType, 'day'>[],
  now: EpochSeconds,
): Promise<readonly ReadonlySet<string>[]> {
  const day = toClinic(now).date;
  const { db } = database;
  const patients = await patientsOfTypes(
    db,
    patientsWhoBook,
    asked.map((each) => ({ ...each, day })),
  );
  const providers = await listProviders(db);
  const open: ReadonlySet<string>[] = [];
  for (const patient of patients) {
    const isPayable = patient.chargeCents === 0 || config.payments !== null;
    const mayBook =
      accessOf(patient.account).booksOnline && isPayable && whyTypeClosed(patient) === null;
    const hidden = mayBook && (await whyHiddenEach({ database, emr: null }, patient, providers));
    open.push(
      new Set(hidden ? providers.flatMap(({ id }) => (hidden.get(id) === null ? [id] : [])) : []),
    );
  }
  return open;
}

/** Why each doctor's slots are hidden; the records are asked only when a doctor depends on them. */
export async function whyHiddenEach(
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

/** Searches day by day, so that nothing is computed beyond the first day with a free slot. */
function earliestIn(
  days: readonly DayFacts[],
  { patientId, type, isOpen }: EarliestQuestion & { readonly isOpen: (doctor: string) => boolean },
  now: EpochSeconds,
): FreeSpan | null {
  const own = ownHold(days, patientId);
  const held = own !== null && own.type === type && isOpen(own.providerId) ? own : null;
  for (const day of days) {
    const open = withRoom(day, type, own).filter(({ doctor }) => isOpen(doctor));
    const free = earliestFree(day.ruler, open, now);
    const isHeldFirst =
      held !== null &&
      stepAt(day.ruler, held.start) !== null &&
      isFarEnoughAhead(held.start, now) &&
      held.start < (free?.start ?? Infinity);
    if (isHeldFirst) return { doctor: held.providerId, start: held.start, end: held.end };
    if (free) return free;
  }
  return null;
}

const keptRoom = new WeakMap<DayFacts, Map<string, readonly ProviderDay[]>>();

/** The providers with room for a type on a day; kept for all callers without a hold on that day. */
function withRoom(day: DayFacts, type: string, own: OwnHold): readonly ProviderDay[] {
  const find = () =>
    day.rows
      .map((row) => ({
        doctor: row.providerId,
        stretches: stretchesOn(row, day.ruler, day.lengths, type),
        taken: takenOn(day, row, own),
      }))
      .filter(({ stretches, taken }) => starts(stretches, taken).length > 0);
  if (own !== null && day.holds.includes(own)) return find();
  const kept = keptRoom.get(day) ?? new Map<string, readonly ProviderDay[]>();
  keptRoom.set(day, kept);
  const found = kept.get(type) ?? find();
  kept.set(type, found);
  return found;
}
