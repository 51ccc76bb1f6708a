import { isSlotCode, slotServes } from './appointment-type.ts';
import type { AppointmentTypeCode, SlotCode } from './appointment-type.ts';
import { CELLS_PER_DAY } from './day-cells.ts';

/**
 * A provider's day as 288 characters, one per 5-minute cell: the alias of the slot code that the
 * cell carries, or '_' while the provider does not work.
 */
export type DayTemplate = string;

/** The character of a cell without work. */
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
  if (text.length !== CELLS_PER_DAY) return 'length';
  for (const alias of text)
    if (alias !== NOT_WORKING && codeOfAlias(alias) === null) return 'unknownCode';
  return null;
}

/** Writes a template from spans of cells; `to` is exclusive and later spans overwrite earlier ones. */
export function dayTemplate(
  spans: readonly { readonly from: number; readonly to: number; readonly code: SlotCode }[],
): DayTemplate {
  const cells = Array.from({ length: CELLS_PER_DAY }, () => NOT_WORKING);
  for (const { from, to, code } of spans) cells.fill(aliasOf(code), from, to);
  return cells.join('');
}

/** One bit per cell of a day: 9 words of 32, cell 0 in the lowest bit of the first. */
export type CellMask = Uint32Array;
export const MASK_WORDS = CELLS_PER_DAY / 32;

const MOST_CACHED = 4096;
const cachedMasks = new Map<AppointmentTypeCode, Map<DayTemplate, CellMask>>();

/** The cells of a template that serve a type. Kept per template: treat the answer as read-only. */
export function servingCells(template: DayTemplate, type: AppointmentTypeCode): CellMask {
  let masks = cachedMasks.get(type);
  if (!masks) cachedMasks.set(type, (masks = new Map<DayTemplate, CellMask>()));
  let mask = masks.get(template);
  if (mask) return mask;
  const refused = whyNoTemplate(template);
  if (refused) throw new RangeError(`This is no day template (${refused})`);
  mask = new Uint32Array(MASK_WORDS);
  for (let cell = 0; cell < CELLS_PER_DAY; cell++) {
    const code = codeOfAlias(template[cell] as string);
    if (code && slotServes(code, type)) mark(mask, cell);
  }
  if (masks.size >= MOST_CACHED) masks.clear();
  masks.set(template, mask);
  return mask;
}

/** Sets the bit of a cell. Cells outside the day are no cells: they throw. */
export function mark(mask: CellMask, cell: number): void {
  if (!(cell >= 0 && cell < CELLS_PER_DAY)) throw new RangeError(`There is no cell ${cell}`);
  mask[cell >> 5] = (mask[cell >> 5] as number) | (1 << (cell & 31));
}
