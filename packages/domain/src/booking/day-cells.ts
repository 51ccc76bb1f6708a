import { addDays, offsetAt, offsetChangeBetween, startOfDay } from '../clinic-time.ts';
import type { ClinicDate, EpochSeconds, WallTime } from '../clinic-time.ts';

/** 5-minute cells of a clinic day, by wall time: cell 0 is 00:00, cell 287 is 23:55. */
export const CELLS_PER_DAY = 288;
/** The length of a cell. */
export const CELL_SECONDS = 300;

/**
 * A clinic day as a ruler from cells to instants. Cells from `shiftedFrom` on lie `shift` seconds
 * off the even grid; cells from `gapFrom` up to it were never on the clock.
 */
export interface DayRuler {
  readonly start: EpochSeconds;
  readonly gapFrom: number;
  readonly shiftedFrom: number;
  readonly shift: number;
}

/** The ruler of a clinic date: one zone lookup for all of its cells. */
export function dayRuler(date: ClinicDate): DayRuler {
  const start = startOfDay(date);
  const change = offsetChangeBetween(start, startOfDay(addDays(date, 1)));
  if (change === null)
    return { start, gapFrom: CELLS_PER_DAY, shiftedFrom: CELLS_PER_DAY, shift: 0 };
  const shift = (offsetAt(start) - offsetAt(change)) * 60;
  const changeCell = (change - start) / CELL_SECONDS;
  const skippedCells = Math.max(0, -shift / CELL_SECONDS);
  return { start, gapFrom: changeCell, shiftedFrom: changeCell + skippedCells, shift };
}

/** When a cell starts, or null for one that the clocks skipped. Of a repeated hour, the earlier. */
export function cellStart(ruler: DayRuler, cell: number): EpochSeconds | null {
  const even = ruler.start + cell * CELL_SECONDS;
  if (cell < ruler.gapFrom) return even;
  return cell < ruler.shiftedFrom ? null : even + ruler.shift;
}

/** The cell in which an instant of that day lies, or null when it lies in none. */
export function cellAt(ruler: DayRuler, at: EpochSeconds): number | null {
  const cellOf = (seconds: number) => Math.floor((seconds - ruler.start) / CELL_SECONDS);
  const early = cellOf(at);
  if (early < 0) return null;
  if (early < ruler.gapFrom) return early < CELLS_PER_DAY ? early : null;
  const late = cellOf(at - ruler.shift);
  return late >= ruler.shiftedFrom && late < CELLS_PER_DAY ? late : null;
}

/** The cell of a wall time: 13:00 is 156; 24:00, an exclusive end, is 288. */
export function cellOfTime(time: WallTime): number {
  return (Number(time.slice(0, 2)) * 60 + Number(time.slice(3))) / 5;
}

/** The wall time of a cell, 'HH:mm'. */
export function timeOfCell(cell: number): WallTime {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(Math.floor(cell / 12))}:${two((cell % 12) * 5)}`;
}
