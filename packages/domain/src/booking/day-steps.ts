import { addDays, offsetAt, offsetChangeBetween, startOfDay } from '../clinic-time.ts';
import type { ClinicDate, EpochSeconds, WallTime } from '../clinic-time.ts';

/** 5-minute steps of a clinic day, by wall time: step 0 is 00:00, step 287 is 23:55. */
export const STEPS_PER_DAY = 288;
/** The length of a step. */
export const STEP_SECONDS = 300;

/**
 * A clinic day as a ruler from steps to instants. Steps from `shiftedFrom` on lie `shift` seconds
 * off the even grid; steps from `gapFrom` up to it were never on the clock.
 */
export interface DayRuler {
  readonly start: EpochSeconds;
  readonly gapFrom: number;
  readonly shiftedFrom: number;
  readonly shift: number;
}

/** The ruler of a clinic date: one zone lookup for all of its steps. */
export function dayRuler(date: ClinicDate): DayRuler {
  const start = startOfDay(date);
  const change = offsetChangeBetween(start, startOfDay(addDays(date, 1)));
  if (change === null)
    return { start, gapFrom: STEPS_PER_DAY, shiftedFrom: STEPS_PER_DAY, shift: 0 };
  const shift = (offsetAt(start) - offsetAt(change)) * 60;
  const changeStep = (change - start) / STEP_SECONDS;
  const skippedSteps = Math.max(0, -shift / STEP_SECONDS);
  return { start, gapFrom: changeStep, shiftedFrom: changeStep + skippedSteps, shift };
}

/** When a step starts, or null for one that the clocks skipped. Of a repeated hour, the earlier. */
export function stepStart(ruler: DayRuler, step: number): EpochSeconds | null {
  const even = ruler.start + step * STEP_SECONDS;
  if (step < ruler.gapFrom) return even;
  return step < ruler.shiftedFrom ? null : even + ruler.shift;
}

/** The step in which an instant of that day lies, or null when it lies in none. */
export function stepAt(ruler: DayRuler, at: EpochSeconds): number | null {
  const stepOf = (seconds: number) => Math.floor((seconds - ruler.start) / STEP_SECONDS);
  const early = stepOf(at);
  if (early < 0) return null;
  if (early < ruler.gapFrom) return early < STEPS_PER_DAY ? early : null;
  const late = stepOf(at - ruler.shift);
  return late >= ruler.shiftedFrom && late < STEPS_PER_DAY ? late : null;
}

/** The step of a wall time: 13:00 is 156; 24:00, an exclusive end, is 288. */
export function stepOfTime(time: WallTime): number {
  return (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) / 5;
}

/** The wall time of a step, 'HH:mm'. */
export function timeOfStep(step: number): WallTime {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(Math.floor(step / 12))}:${two((step % 12) * 5)}`;
}
