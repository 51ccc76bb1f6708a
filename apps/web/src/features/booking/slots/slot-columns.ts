import { STEP_SECONDS, formatTime, toClinic, whyDoctorHidden, whyUntimely } from '@clinic/domain';
import type {
  AppointmentType,
  ClinicDate,
  Doctor,
  DoctorStatus,
  EpochSeconds,
  GridView,
  PatientFacts,
} from '@clinic/domain';
import type { ApiScheduleDay } from '@clinic/contract';
import type { PickedSlot } from '../journey.ts';

export type DayPart = 'morning' | 'afternoon' | 'evening';

export interface SlotChip extends PickedSlot {
  readonly key: string;
  /** 'HH:mm' in clinic time. */
  readonly time: string;
}

export interface SlotColumn {
  readonly key: string;
  readonly date: ClinicDate;
  /** The provider whose column it is; null for a column of a date. */
  readonly provider: Doctor | null;
  readonly parts: readonly { readonly part: DayPart; readonly chips: readonly SlotChip[] }[];
  readonly count: number;
}

export interface Grid {
  readonly columns: readonly SlotColumn[];
  readonly count: number;
  /** True when slots are hidden because the check of the primary doctor failed. */
  readonly primaryDoctorUnknown: boolean;
}

/** Besides the schedule and the time, what decides which slots a patient sees. */
export interface GridFacts {
  readonly type: AppointmentType;
  readonly doctor: 'earliest' | { readonly id: string };
  readonly doctors: readonly Doctor[];
  readonly statuses: ReadonlyMap<string, DoctorStatus>;
  readonly patient: PatientFacts;
}

/** The key of a time in the grid. */
export function chipKey({ doctor, start }: Pick<PickedSlot, 'doctor' | 'start'>): string {
  return `${doctor}@${start}`;
}

function partOf(time: string): DayPart {
  if (time < '12:00') return 'morning';
  return time < '17:00' ? 'afternoon' : 'evening';
}

/** The columns of a view: per date for several days, else per provider, earliest first. */
export function slotColumns(
  days: readonly ApiScheduleDay[],
  view: GridView,
  facts: GridFacts,
  now: EpochSeconds,
): Grid {
  const open = openDoctors(facts);
  const shown = days.filter(({ date }) => date >= view.from && date <= view.to);
  const columns =
    view.from === view.to
      ? shown.flatMap((day) => providerColumns(day, open.doctors, facts, now))
      : shown.map((day) => dateColumn(day, open.doctors, facts, now));
  return {
    columns,
    count: columns.reduce((sum, column) => sum + column.count, 0),
    primaryDoctorUnknown: open.primaryDoctorUnknown,
  };
}

function openDoctors({ doctor: wish, doctors, statuses, type, patient }: GridFacts) {
  const asked = wish === 'earliest' ? doctors : doctors.filter(({ id }) => id === wish.id);
  const found = { doctors: [] as Doctor[], primaryDoctorUnknown: false };
  for (const doctor of asked) {
    const status = statuses.get(doctor.id);
    const hidden = status ? whyDoctorHidden({ type, doctor, status, patient }) : 'hidden';
    if (hidden === null) found.doctors.push(doctor);
    if (hidden === 'primaryDoctorUnknown') found.primaryDoctorUnknown = true;
  }
  return found;
}

/** The slots of a doctor that are free to the patient on a day. */
function* freeOf(
  day: ApiScheduleDay,
  doctor: Doctor,
  { type, statuses, patient }: GridFacts,
  now: EpochSeconds,
): Generator<PickedSlot> {
  const status = statuses.get(doctor.id);
  if (!status) return;
  const facts = { type, doctor, status, patient };
  if (whyDoctorHidden(facts) !== null) return;
  for (const { doctor: id, schedule } of day.providers) {
    if (id !== doctor.id) continue;
    for (const { start, end } of schedule)
      if (whyUntimely(start, now) === null) yield { doctor: id, start, end };
  }
}

/** True when a day has a time for the patient; undefined when a failed check may hide some. */
export function isOpen(
  day: ApiScheduleDay,
  facts: GridFacts,
  now: EpochSeconds,
): boolean | undefined {
  const { doctors, primaryDoctorUnknown } = openDoctors(facts);
  const isFound = doctors.some((doctor) => !freeOf(day, doctor, facts, now).next().done);
  return !isFound && primaryDoctorUnknown ? undefined : isFound;
}

function chipsOf(
  day: ApiScheduleDay,
  doctor: Doctor,
  facts: GridFacts,
  now: EpochSeconds,
): SlotChip[] {
  return Array.from(freeOf(day, doctor, facts, now), ({ doctor: id, start, end }) => ({
    key: chipKey({ doctor: id, start }),
    doctor: id,
    start,
    end,
    time: formatTime(start),
  }));
}

function column(
  key: string,
  date: ClinicDate,
  provider: Doctor | null,
  chips: readonly SlotChip[],
): SlotColumn {
  const sorted = chips.toSorted((a, b) => a.start - b.start);
  const parts = (['morning', 'afternoon', 'evening'] as const).flatMap((part) => {
    const own = sorted.filter(({ time }) => partOf(time) === part);
    return own.length > 0 ? [{ part, chips: own }] : [];
  });
  return { key, date, provider, parts, count: chips.length };
}

function providerColumns(
  day: ApiScheduleDay,
  doctors: readonly Doctor[],
  facts: GridFacts,
  now: EpochSeconds,
): SlotColumn[] {
  return doctors
    .map((doctor) => column(doctor.id, day.date, doctor, chipsOf(day, doctor, facts, now)))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => firstStart(a) - firstStart(b));
}

const firstStart = ({ parts }: SlotColumn) => parts[0]?.chips[0]?.start ?? 0;

/** True when every time of the column lasts 5 minutes, as the specification prescribes. */
export function isSpecifiedLength({ parts }: SlotColumn): boolean {
  return parts.every(({ chips }) => chips.every(({ start, end }) => end - start === STEP_SECONDS));
}

/** Place of the outcome of a press: its column and part of the day. */
export interface OutcomePlace {
  readonly column: string;
  readonly part: DayPart;
  /** How many times of the part stand before the outcome. */
  readonly after: number;
}

/**
 * Where the outcome of a press stands, even after the pressed time is gone; null when the column or
 * the part of the day is gone too.
 */
export function outcomePlace(
  columns: readonly SlotColumn[],
  pressed: SlotChip,
): OutcomePlace | null {
  const { date } = toClinic(pressed.start);
  const column = columns.find(
    (one) => one.date === date && (one.provider === null || one.provider.id === pressed.doctor),
  );
  const found = column?.parts.find(({ part }) => part === partOf(pressed.time));
  if (!column || !found) return null;
  const own = found.chips.findIndex(({ key }) => key === pressed.key);
  const before = found.chips.findLastIndex(({ start }) => start <= pressed.start);
  return { column: column.key, part: found.part, after: (own < 0 ? before : own) + 1 };
}

/** A day without a free time keeps its column, so that no day is missing from the order. */
function dateColumn(
  day: ApiScheduleDay,
  doctors: readonly Doctor[],
  facts: GridFacts,
  now: EpochSeconds,
): SlotColumn {
  const chips = doctors.flatMap((doctor) => chipsOf(day, doctor, facts, now));
  return column(day.date, day.date, null, chips);
}
