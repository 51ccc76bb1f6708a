import type { ClinicDate, EpochSeconds } from '../clinic-time.ts';
import type { AppointmentTypeCode, SlotCode } from './appointment-type.ts';
import { lastBookableInstant } from './booking-window.ts';
import { STEPS_PER_DAY, STEP_SECONDS, stepAt, stepStart, dayRuler } from './day-steps.ts';
import type { DayRuler } from './day-steps.ts';
import { MASK_WORDS, codeOfAlias, mark, servingSteps } from './day-template.ts';
import type { StepMask, DayTemplate } from './day-template.ts';
import { NOTICE_SECONDS } from './slot-visibility.ts';

/** One provider's expanded day. */
export interface DayRow {
  /** The provider's id. */
  readonly doctor: string;
  readonly date: ClinicDate;
  readonly template: DayTemplate;
  /** Steps (0-287) taken by appointments and holds, in any order. */
  readonly busy: readonly number[];
}

export interface FreeSlot {
  readonly doctor: string;
  readonly date: ClinicDate;
  readonly start: EpochSeconds;
}

/** Free steps of a template for a type: those that serve it, less the busy ones. */
export function freeSteps(
  template: DayTemplate,
  busy: readonly number[],
  type: AppointmentTypeCode,
): StepMask {
  const taken = new Uint32Array(MASK_WORDS);
  for (let i = 0; i < busy.length; i++) mark(taken, busy[i] as number);
  const serving = servingSteps(template, type);
  for (let word = 0; word < MASK_WORDS; word++)
    taken[word] = (serving[word] as number) & ~(taken[word] as number);
  return taken;
}

/** The numbers of the steps that a mask holds, ascending. */
export function stepsIn(mask: StepMask): number[] {
  const steps: number[] = [];
  for (let word = 0; word < MASK_WORDS; word++) {
    let bits = mask[word] as number;
    while (bits !== 0) {
      steps.push(word * 32 + 31 - Math.clz32(bits & -bits));
      bits &= bits - 1;
    }
  }
  return steps;
}

/** Remembers the ruler of each date met: a search has few dates and many rows. */
function rulers(): (date: ClinicDate) => DayRuler {
  const known = new Map<ClinicDate, DayRuler>();
  return (date) => {
    let ruler = known.get(date);
    if (!ruler) known.set(date, (ruler = dayRuler(date)));
    return ruler;
  };
}

function startsOf(row: DayRow, ruler: DayRuler, search: Span, type: AppointmentTypeCode) {
  const starts: EpochSeconds[] = [];
  if (ruler.start > search.last || ruler.start + 90_000 < search.first) return starts;
  const steps = stepsIn(freeSteps(row.template, row.busy, type));
  for (let i = 0; i < steps.length; i++) {
    const start = stepStart(ruler, steps[i] as number);
    if (start !== null && start >= search.first && start <= search.last) starts.push(start);
  }
  return starts;
}

interface Span {
  readonly first: EpochSeconds;
  readonly last: EpochSeconds;
}

function bookable(now: EpochSeconds): Span {
  return { first: now + NOTICE_SECONDS + 1, last: lastBookableInstant(now) };
}

/**
 * The earliest free start that serves a type, more than 30 minutes ahead and inside the window, or
 * null. Of several doctors at the same instant, the one whose row comes first. Which doctors this
 * patient may see is decided before, with `whyDoctorHidden`. Throws a RangeError for a row that is
 * none..
 */
export function earliestFree(
  rows: readonly DayRow[],
  type: AppointmentTypeCode,
  now: EpochSeconds,
): FreeSlot | null {
  const rulerOf = rulers();
  const { first, last } = bookable(now);
  let earliest: FreeSlot | null = null;
  for (const row of rows) {
    // A row of a later day than the best one cannot win: skip it before any bit is looked at.
    if (earliest && row.date > earliest.date) continue;
    const until = earliest ? earliest.start - 1 : last;
    const [start] = startsOf(row, rulerOf(row.date), { first, last: until }, type);
    if (start !== undefined) earliest = { doctor: row.doctor, date: row.date, start };
  }
  return earliest;
}

/** One slot of a provider's schedule; `end` is exclusive. */
export interface ScheduledSlot {
  readonly code: SlotCode;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
}

/** All slots of a row, free or not, ascending, as the schedule call lists them. */
export function scheduledSlots(row: Pick<DayRow, 'date' | 'template'>): ScheduledSlot[] {
  const ruler = dayRuler(row.date);
  const slots: ScheduledSlot[] = [];
  for (let step = 0; step < STEPS_PER_DAY; step++) {
    const code = codeOfAlias(row.template[step] ?? '');
    const start = code && stepStart(ruler, step);
    if (code && start !== null) slots.push({ code, start, end: start + STEP_SECONDS });
  }
  return slots;
}

/** The steps of a clinic date that the instants fall into; instants of other days are left out. */
export function stepsOf(date: ClinicDate, instants: readonly EpochSeconds[]): number[] {
  const ruler = dayRuler(date);
  return instants.map((at) => stepAt(ruler, at)).filter((step) => step !== null);
}
