import {
  STEP_SECONDS,
  WINDOW_DAYS,
  addDays,
  datesOf,
  earliestFree,
  toClinic,
  whyDoctorHidden,
} from '@clinic/domain';
import type {
  AppointmentTypeCode,
  ClinicDate,
  DateSpan,
  DoctorHiddenReason,
  EpochSeconds,
} from '@clinic/domain';

import type { PatientId } from '../../security/sessions.store.ts';
import { EmrOffline } from '../records/emr.ts';
import type { RecordId, Emr } from '../records/emr.ts';
import { type DaysByDate, type TakenFacts, covers } from './answer.ts';
import type { ListedProvider, SearchingPatient } from './store.ts';

/** Most searches end in the first days, so what is taken of these is read alone. */
const PARTS = [7, 28, WINDOW_DAYS + 1] as const;

export interface EarliestPorts {
  readonly emr: Pick<Emr, 'mrpStatus'>;
  readonly listProviders: () => Promise<readonly ListedProvider[]>;
  readonly patientSearching: (
    patientId: string,
    type: string,
    day: ClinicDate,
  ) => Promise<SearchingPatient>;
  /** The templates of the window that begins on a day. */
  readonly windowDays: (today: ClinicDate) => Promise<DaysByDate>;
  readonly readTaken: (
    range: DateSpan,
    providerId: string | null,
    now: EpochSeconds,
  ) => Promise<TakenFacts>;
}

export interface EarliestQuestion {
  readonly patientId: PatientId;
  readonly type: AppointmentTypeCode;
  /** Null for all providers. */
  readonly providerId: string | null;
}

export interface FoundSlot {
  readonly doctor: string;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
}

export type Earliest =
  | { readonly kind: 'found'; readonly slot: FoundSlot | null }
  | {
      readonly kind: 'refused';
      readonly code: 'typeNotOffered' | 'bookingBlocked' | 'primaryDoctorUnknown';
    };

const none: Earliest = { kind: 'found', slot: null };

/**
 * The earliest slot that this patient may hold, over the whole window, or null.
 * What the patient holds counts as free, as in the schedule. The booking limits are not asked:
 * they depend on the day that the patient chooses.
 */
export async function earliestSlot(
  ports: EarliestPorts,
  question: EarliestQuestion,
  now: EpochSeconds,
): Promise<Earliest> {
  const { patientId, type, providerId } = question;
  const today = toClinic(now).date;
  const parts = partsOf(today);
  const [patient, listed, days, firstTaken] = await Promise.all([
    ports.patientSearching(patientId, type, today),
    ports.listProviders(),
    ports.windowDays(today),
    ports.readTaken(parts[0] as DateSpan, providerId, now),
  ]);
  if (patient.bookingBlocked) return { kind: 'refused', code: 'bookingBlocked' };
  if (patient.type === null || type === 'F') return { kind: 'refused', code: 'typeNotOffered' };
  const asked = listed.filter(({ id }) => providerId === null || id === providerId);
  const hidden = await whyHiddenEach(ports, patient, patient.type, type, asked);
  if (providerId !== null && hidden.get(providerId) === 'primaryDoctorUnknown')
    return { kind: 'refused', code: 'primaryDoctorUnknown' };
  const open = new Set(asked.flatMap(({ id }) => (hidden.get(id) === null ? [id] : [])));
  if (open.size === 0) return none;
  for (const [at, range] of parts.entries()) {
    const facts = at === 0 ? firstTaken : await ports.readTaken(range, providerId, now);
    const slot = earliestIn(range, days, facts, open, question, now);
    if (slot) return { kind: 'found', slot };
  }
  return none;
}

function partsOf(today: ClinicDate): DateSpan[] {
  return PARTS.map((until, at) => ({
    from: addDays(today, PARTS[at - 1] ?? 0),
    to: addDays(today, until - 1),
  }));
}

/** Why each doctor's slots are hidden; the records are asked only when a doctor depends on them. */
async function whyHiddenEach(
  { emr }: EarliestPorts,
  patient: SearchingPatient,
  rules: NonNullable<SearchingPatient['type']>,
  code: AppointmentTypeCode,
  doctors: readonly ListedProvider[],
): Promise<ReadonlyMap<string, DoctorHiddenReason | null>> {
  const why = (hasActivePrimaryDoctor: boolean | 'unknown') =>
    new Map(
      doctors.map((doctor) => {
        const facts = {
          type: { code, ...rules },
          doctor,
          status: doctor.status,
          patient: {
            hasFamilyDoctor: patient.familyDoctor,
            hasActivePrimaryDoctor,
            blockedProviders: patient.blockedProviders,
          },
        };
        return [doctor.id, whyDoctorHidden(facts)];
      }),
    );
  const unasked = why('unknown');
  if (![...unasked.values()].includes('primaryDoctorUnknown')) return unasked;
  try {
    return why((await emr.mrpStatus(patient.recordId as RecordId)).active);
  } catch (error) {
    if (error instanceof EmrOffline) return unasked;
    throw error;
  }
}

/** Day after day, so that nothing is counted beyond the day that has a free slot. */
function earliestIn(
  range: DateSpan,
  days: DaysByDate,
  { taken, holds }: TakenFacts,
  open: ReadonlySet<string>,
  { patientId, type }: EarliestQuestion,
  now: EpochSeconds,
): FoundSlot | null {
  const own = holds.find((hold) => hold.patientId === patientId) ?? null;
  const takenBy = new Map(
    taken.map(({ providerId, starts }) => [
      providerId,
      new Set(starts.filter((start) => own === null || !covers(own, providerId, start))),
    ]),
  );
  for (const date of datesOf(range)) {
    const rows = (days.get(date) ?? [])
      .filter(({ providerId }) => open.has(providerId))
      .map(({ providerId, codes }) => ({
        doctor: providerId,
        template: codes,
        taken: takenBy.get(providerId) ?? new Set<EpochSeconds>(),
      }));
    const free = earliestFree(date, rows, type, now);
    if (free) return { ...free, end: free.start + STEP_SECONDS };
  }
  return null;
}
