import { mondayOf, toInstant } from '../clinic-time.ts';
import type { ClinicDate, EpochSeconds, WallTime } from '../clinic-time.ts';
import type { AppointmentTypeCode } from './appointment-type.ts';
import { STEPS_PER_DAY, STEP_SECONDS, stepStart } from './day-template.ts';
import { isFarEnoughAhead, isInsideWindow } from './booking-window.ts';
import type { DayRuler, DayTemplate } from './day-template.ts';

/** Until when a slot code is kept back from booking.. */
export const RELEASES = ['always', 'sameWeek', 'sameDay'] as const;
export type Release = (typeof RELEASES)[number];

/** What the clinic has set for a character of its templates. */
export interface SlotCodeRules {
  /** One character of a template. */
  readonly code: string;
  readonly description: string;
  /** The types that may be booked on the code. */
  readonly types: readonly AppointmentTypeCode[];
  /** How long an appointment on the code lasts; null leaves that to the type.. */
  readonly minutes: number | null;
  readonly release: Release;
  /** The clinic's wall time at which the code is released. */
  readonly releaseAt: WallTime;
}

/** The API's name of a code: the type when it serves only one, else the code itself. */
export function slotCodeName({ code, types }: Pick<SlotCodeRules, 'code' | 'types'>): string {
  const [only, another] = types;
  return only !== undefined && another === undefined ? only : code;
}

/** The instant from which a code may be booked on a date; null when it always may.. */
export function releasedFrom(
  { release, releaseAt }: Pick<SlotCodeRules, 'release' | 'releaseAt'>,
  date: ClinicDate,
): EpochSeconds | null {
  if (release === 'always') return null;
  return toInstant(release === 'sameDay' ? date : mondayOf(date), releaseAt);
}

/** What a provider has set for a type: how long their appointments last, or that they do not offer it. */
export interface Pace {
  readonly offers: boolean;
  /** Null leaves the length to the slot code and the type. */
  readonly minutes: number | null;
}

/** What decides the length and the starts of a type's appointments with one provider. */
export interface LengthRules {
  readonly type: { readonly code: AppointmentTypeCode; readonly minutes: number };
  readonly codes: readonly SlotCodeRules[];
  readonly pace: Pace | null;
}

/** For each template character that serves a type on a day: the length in minutes. */
export type Served = ReadonlyMap<string, number>;

/** The provider's minutes for the type, else those of the slot code, else the type's.. */
export function servedMinutes({ type, codes, pace }: LengthRules): Served {
  const served = new Map<string, number>();
  if (pace?.offers === false) return served;
  for (const rules of codes)
    if (rules.types.includes(type.code))
      served.set(rules.code, pace?.minutes ?? rules.minutes ?? type.minutes);
  return served;
}

/** 288 bits, one for each 5-minute step of a clinic day. */
export type StepMask = Uint32Array;

const WORDS = STEPS_PER_DAY / 32;

export const noSteps = (): StepMask => new Uint32Array(WORDS);

export function addStep(mask: StepMask, step: number): void {
  mask[step >>> 5] = (mask[step >>> 5] ?? 0) | (1 << (step & 31));
}

const hasStep = (mask: StepMask, step: number): boolean =>
  ((mask[step >>> 5] ?? 0) & (1 << (step & 31))) !== 0;

/** The step that starts at an instant; null when the instant is not the start of a step of this day. */
export function stepAt(ruler: DayRuler, at: EpochSeconds): number | null {
  const even = (at - ruler.start) / STEP_SECONDS;
  const step = even < ruler.gapFrom ? even : even - ruler.shift / STEP_SECONDS;
  const isOfDay = Number.isInteger(step) && step >= 0 && step < STEPS_PER_DAY;
  return isOfDay && stepStart(ruler, step) === at ? step : null;
}

/**
 * The steps of a day whose code is not released yet. They are treated as booked, so a release only adds
 * starts and never moves any..
 */
export function keptBack(
  template: DayTemplate,
  codes: readonly SlotCodeRules[],
  date: ClinicDate,
  now: EpochSeconds,
): StepMask {
  const mask = noSteps();
  for (const rules of codes) {
    if ((releasedFrom(rules, date) ?? now) <= now) continue;
    for (let step = 0; step < STEPS_PER_DAY; step++)
      if (template[step] === rules.code) addStep(mask, step);
  }
  return mask;
}

/** The steps that start at the given instants, together with those of `anyhow`. */
export function takenSteps(
  ruler: DayRuler,
  starts: readonly EpochSeconds[],
  anyhow: StepMask = noSteps(),
): StepMask {
  const mask = anyhow.slice();
  for (const at of starts) {
    const step = stepAt(ruler, at);
    if (step !== null) addStep(mask, step);
  }
  return mask;
}

/** When the steps of a mask begin, ascending. */
export function instantsOf(ruler: DayRuler, mask: StepMask): EpochSeconds[] {
  const instants: EpochSeconds[] = [];
  for (let step = 0; step < STEPS_PER_DAY; step++) {
    const start = hasStep(mask, step) ? stepStart(ruler, step) : null;
    if (start !== null) instants.push(start);
  }
  return instants;
}

/** All steps of a day that serve a type with one length, on one side of a change of the clocks. */
export interface Stretch {
  /** How many steps an appointment takes. */
  readonly steps: number;
  readonly served: StepMask;
  /** Starts given by the template: the first step of each run, then every `startEvery` minutes. */
  readonly anchors: StepMask;
}

/**
 * Groups the steps of a template that serve the type by length. A run of steps, which sets the starts, goes
 * on through a change of code and ends with a change of length or of the clocks..
 */
export function stretchesOf(
  template: DayTemplate,
  served: Served,
  startEvery: number | null,
  ruler: Pick<DayRuler, 'gapFrom' | 'shiftedFrom'>,
): Stretch[] {
  const stretches = new Map<string, Stretch>();
  let [minutes, first] = [0, 0];
  for (let step = 0; step < STEPS_PER_DAY; step++) {
    const isSkipped = step >= ruler.gapFrom && step < ruler.shiftedFrom;
    const here = isSkipped ? 0 : (served.get(template[step] ?? '') ?? 0);
    const isAfterChange = step >= ruler.shiftedFrom;
    if (here !== minutes || step === ruler.shiftedFrom) [minutes, first] = [here, step];
    if (here === 0) continue;
    // Steps before and after a change of the clocks are kept apart.
    const key = `${here} ${isAfterChange}`;
    let stretch = stretches.get(key);
    if (!stretch) {
      stretch = { steps: (here * 60) / STEP_SECONDS, served: noSteps(), anchors: noSteps() };
      stretches.set(key, stretch);
    }
    addStep(stretch.served, step);
    if (((step - first) * STEP_SECONDS) % ((startEvery ?? here) * 60) === 0)
      addStep(stretch.anchors, step);
  }
  return [...stretches.values()];
}

/** The steps from which the whole length is free. Shifts the mask once for each step after the first. */
function freeRuns({ steps, served }: Stretch, taken: StepMask): StepMask {
  const run = noSteps();
  const ahead = noSteps();
  for (let word = 0; word < WORDS; word++)
    run[word] = ahead[word] = (served[word] ?? 0) & ~(taken[word] ?? 0);
  for (let more = 1; more < steps; more++)
    for (let word = 0; word < WORDS; word++) {
      ahead[word] = ((ahead[word] ?? 0) >>> 1) | ((ahead[word + 1] ?? 0) << 31);
      run[word] = (run[word] ?? 0) & (ahead[word] ?? 0);
    }
  return run;
}

/**
 * How many steps an appointment that begins at a step takes, or null when its whole length is not free.
 * Holding and booking ask this..
 */
export function fits(stretches: readonly Stretch[], taken: StepMask, step: number): number | null {
  const found = stretches.find((stretch) => hasStep(stretch.served, step));
  return found && hasStep(freeRuns(found, taken), step) ? found.steps : null;
}

/** Where an appointment begins, and how many steps it takes. */
export interface Start {
  readonly step: number;
  readonly steps: number;
}

/**
 * The starts to show, in ascending order: those of the template, and the first step after anything taken,
 * where the whole length is free. A taken step hides starts and never moves them..
 */
export function starts(stretches: readonly Stretch[], taken: StepMask): Start[] {
  const found: Start[] = [];
  for (const stretch of stretches) {
    const run = freeRuns(stretch, taken);
    for (let word = 0; word < WORDS; word++) {
      const after = ((taken[word] ?? 0) << 1) | ((taken[word - 1] ?? 0) >>> 31);
      let left = (run[word] ?? 0) & ((stretch.anchors[word] ?? 0) | after);
      for (; left !== 0; left &= left - 1)
        found.push({ step: word * 32 + 31 - Math.clz32(left & -left), steps: stretch.steps });
    }
  }
  return stretches.length > 1 ? found.sort((one, other) => one.step - other.step) : found;
}

/** When an appointment that begins at an instant ends; null when its whole length is not free.. */
export function endOf(
  stretches: readonly Stretch[],
  taken: StepMask,
  ruler: DayRuler,
  start: EpochSeconds,
): EpochSeconds | null {
  const step = stepAt(ruler, start);
  const steps = step === null ? null : fits(stretches, taken, step);
  return steps === null ? null : start + steps * STEP_SECONDS;
}

/** A provider's day: where appointments may be, and which steps are taken. */
export interface ProviderDay {
  readonly doctor: string;
  readonly stretches: readonly Stretch[];
  readonly taken: StepMask;
}

/** An appointment that could be booked. */
export interface FreeSpan {
  readonly doctor: string;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
}

/**
 * The earliest start of a day, more than 30 minutes ahead and inside the window, or null. Among doctors with
 * the same start, the first in the list. The caller leaves out doctors that this patient may not see, with
 * `whyDoctorHidden`..
 */
export function earliestFree(
  ruler: DayRuler,
  days: readonly ProviderDay[],
  now: EpochSeconds,
): FreeSpan | null {
  let earliest: FreeSpan | null = null;
  for (const { doctor, stretches, taken } of days)
    for (const { step, steps } of starts(stretches, taken)) {
      const start = stepStart(ruler, step);
      if (start === null || !isFarEnoughAhead(start, now)) continue;
      if (start < (earliest?.start ?? Infinity) && isInsideWindow(start, now))
        earliest = { doctor, start, end: start + steps * STEP_SECONDS };
      break;
    }
  return earliest;
}
