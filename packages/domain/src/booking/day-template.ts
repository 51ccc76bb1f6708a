import { addDays, offsetAt, offsetChangeBetween, startOfDay } from '../clinic-time.ts';
import type { ClinicDate, EpochSeconds, WallTime } from '../clinic-time.ts';

/** 5-minute steps of a clinic day, by wall time: step 0 is 00:00, step 287 is 23:55. */
export const STEPS_PER_DAY = 288;
/** The length of a step. */
export const STEP_SECONDS = 300;

/**
 * Maps the steps of a clinic day to instants. Steps from `shiftedFrom` on lie `shift` seconds off the even
 * grid; steps from `gapFrom` up to it were never on the clock.
 */
export interface DayRuler {
  readonly start: EpochSeconds;
  readonly gapFrom: number;
  readonly shiftedFrom: number;
  readonly shift: number;
}

/** The ruler of a clinic date. It needs one zone lookup for all steps. */
export function dayRuler(date: ClinicDate): DayRuler {
  const start = startOfDay(date);
  const change = offsetChangeBetween(start, startOfDay(addDays(date, 1)));
  if (change === null)
    return { start, gapFrom: STEPS_PER_DAY, shiftedFrom: STEPS_PER_DAY, shift: 0 };
  const shift = (offsetAt(start) - offsetAt(change)) * 60;
  const gapFrom = (change - start) / STEP_SECONDS;
  return { start, gapFrom, shiftedFrom: gapFrom + Math.max(0, -shift / STEP_SECONDS), shift };
}

/** When a step starts; null for one that the clocks skipped. In a repeated hour, the earlier. */
export function stepStart(ruler: DayRuler, step: number): EpochSeconds | null {
  const even = ruler.start + step * STEP_SECONDS;
  if (step < ruler.gapFrom) return even;
  return step < ruler.shiftedFrom ? null : even + ruler.shift;
}

/** The step of a wall time: 13:00 is 156; 24:00, an exclusive end, is 288. */
export const stepOfTime = (time: WallTime): number =>
  (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) / 5;

/**
 * A provider's day as 288 characters, one per 5-minute step: the slot code that the step carries, or
 * '_' while the provider does not work.
 */
export type DayTemplate = string;

/** The character of a step without work. */
export const NOT_WORKING = '_';

/** The character of an exception's step that leaves it to the template or the EMR. */
export const AS_USUAL = '.';

/** A day as it is offered: the exception's steps, and the template's where the exception says nothing. */
export function overlaid(exception: string, template: DayTemplate): DayTemplate {
  if (!exception.includes(AS_USUAL)) return exception;
  return Array.from(exception, (code, step) =>
    code === AS_USUAL ? (template[step] ?? NOT_WORKING) : code,
  ).join('');
}

/** A day on which nobody works. */
export const CLOSED_DAY = NOT_WORKING.repeat(STEPS_PER_DAY);

/** The exception with its steps between two instants as in another day; `to` is exclusive. */
export function replacedBetween(
  exception: string,
  ruler: DayRuler,
  { from, to }: { readonly from: EpochSeconds; readonly to: EpochSeconds },
  other: string,
): string {
  return Array.from(exception, (code, step) => {
    const start = stepStart(ruler, step);
    return start !== null && start >= from && start < to ? (other[step] ?? AS_USUAL) : code;
  }).join('');
}

/** Writes a template from spans of steps; `to` is exclusive and later spans overwrite earlier ones. */
export function dayTemplate(
  spans: readonly { readonly from: number; readonly to: number; readonly code: string }[],
): DayTemplate {
  const steps = Array.from({ length: STEPS_PER_DAY }, () => NOT_WORKING);
  for (const { from, to, code } of spans) steps.fill(code, from, to);
  return steps.join('');
}

/** One slot of a provider's schedule; `end` is exclusive. */
export interface ScheduledSlot {
  /** The code's name in the API. */
  readonly code: string;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
}

/** All steps of a day that carry a code, free or not, in ascending order, as the schedule call lists them. */
export function scheduledSlots(
  { date, template }: { readonly date: ClinicDate; readonly template: DayTemplate },
  /** The API's name for each character. */
  names: ReadonlyMap<string, string>,
): ScheduledSlot[] {
  const ruler = dayRuler(date);
  const slots: ScheduledSlot[] = [];
  for (let step = 0; step < STEPS_PER_DAY; step++) {
    const code = names.get(template[step] ?? NOT_WORKING);
    const start = code === undefined ? null : stepStart(ruler, step);
    if (code !== undefined && start !== null)
      slots.push({ code, start, end: start + STEP_SECONDS });
  }
  return slots;
}
