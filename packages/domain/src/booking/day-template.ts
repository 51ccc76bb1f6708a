import { isSlotCode, slotServes } from './appointment-type.ts';
import type { AppointmentTypeCode, SlotCode } from './appointment-type.ts';
import { STEPS_PER_DAY } from './day-steps.ts';

/**
 * A provider's day as 288 characters, one per 5-minute step: the alias of the slot code that the
 * step carries, or '_' while the provider does not work.
 */
export type DayTemplate = string;

/** The character of a step without work. */
export const NOT_WORKING = '_';

/** The one-letter alias of a slot code in a template: PP has two letters and is written Q. */
export function aliasOf(code: SlotCode): string {
  return code === 'PP' ? 'Q' : code;
}

/** The slot code that an alias stands for, or null for '_' and for a letter without meaning. */
export function codeOfAlias(alias: string): SlotCode | null {
  if (alias === 'Q') return 'PP';
  return isSlotCode(alias) ? alias : null;
}

/** Why a text is no template, or null. */
export function whyNoTemplate(text: string): 'length' | 'unknownCode' | null {
  if (text.length !== STEPS_PER_DAY) return 'length';
  for (const alias of text)
    if (alias !== NOT_WORKING && codeOfAlias(alias) === null) return 'unknownCode';
  return null;
}

/** Writes a template from spans of steps; `to` is exclusive and later spans overwrite earlier ones. */
export function dayTemplate(
  spans: readonly { readonly from: number; readonly to: number; readonly code: SlotCode }[],
): DayTemplate {
  const steps = Array.from({ length: STEPS_PER_DAY }, () => NOT_WORKING);
  for (const { from, to, code } of spans) steps.fill(aliasOf(code), from, to);
  return steps.join('');
}

/** One bit per step of a day: 9 words of 32, step 0 in the lowest bit of the first. */
export type StepMask = Uint32Array;
export const MASK_WORDS = STEPS_PER_DAY / 32;

const MOST_CACHED = 4096;
const cachedMasks = new Map<AppointmentTypeCode, Map<DayTemplate, StepMask>>();

/** The steps of a template that serve a type. Kept per template: treat the answer as read-only. */
export function servingSteps(template: DayTemplate, type: AppointmentTypeCode): StepMask {
  let masks = cachedMasks.get(type);
  if (!masks) cachedMasks.set(type, (masks = new Map<DayTemplate, StepMask>()));
  let mask = masks.get(template);
  if (mask) return mask;
  const refused = whyNoTemplate(template);
  if (refused) throw new RangeError(`This is no day template (${refused})`);
  mask = new Uint32Array(MASK_WORDS);
  for (let step = 0; step < STEPS_PER_DAY; step++) {
    const code = codeOfAlias(template[step] as string);
    if (code && slotServes(code, type)) mark(mask, step);
  }
  if (masks.size >= MOST_CACHED) masks.clear();
  masks.set(template, mask);
  return mask;
}

/** Sets the bit of a step. Steps outside the day are no steps: they throw. */
export function mark(mask: StepMask, step: number): void {
  if (!(step >= 0 && step < STEPS_PER_DAY)) throw new RangeError(`There is no step ${step}`);
  mask[step >> 5] = (mask[step >> 5] as number) | (1 << (step & 31));
}
