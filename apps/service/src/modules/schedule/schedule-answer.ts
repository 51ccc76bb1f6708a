import { scheduledSlots, startOfDay, addDays } from '@clinic/domain';
import type { ClinicDate, EpochSeconds } from '@clinic/domain';

/** One provider's expanded day, as `schedule_day` keeps it. */
export interface ProviderDayRow {
  readonly date: ClinicDate;
  readonly providerId: string;
  readonly codes: string;
}

/** The 5-minute steps of one provider that are taken in the range asked for. */
export interface TakenSteps {
  readonly providerId: string;
  readonly starts: readonly EpochSeconds[];
}

/** A standing hold: booked to everybody but its holder. */
export interface StandingHold {
  readonly patientId: string;
  readonly providerId: string;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

const MOST_KEPT = 2048;
const slotTexts = new Map<string, string>();

/** The slot list of a day as JSON; it depends on the template and the date alone, so it is kept. */
function slotsText(row: ProviderDayRow): string {
  const key = row.date + row.codes;
  let text = slotTexts.get(key);
  if (text === undefined) {
    text = scheduledSlots({ date: row.date, template: row.codes })
      .map(({ code, start, end }) => `{"code":"${code}","start":${start},"end":${end}}`)
      .join(',');
    if (slotTexts.size >= MOST_KEPT) slotTexts.clear();
    slotTexts.set(key, text);
  }
  return text;
}

/** Taken starts by provider and day; a day is a pair of instants, so no start is converted. */
export function takenByDay(days: readonly ClinicDate[], taken: readonly TakenSteps[]) {
  const bounds = days.map((day) => startOfDay(day));
  bounds.push(startOfDay(addDays(days.at(-1) as ClinicDate, 1)));
  const first = bounds[0] as number;
  const placed = new Map<string, EpochSeconds[][]>();
  for (const { providerId, starts } of taken) {
    const perDay: EpochSeconds[][] = days.map(() => []);
    for (const start of starts) {
      // A day is 24 hours long but for an hour now and then: at most one step from the right one.
      let day = Math.max(0, Math.floor((start - first) / 86_400) - 1);
      while (day < days.length && start >= (bounds[day + 1] as number)) day++;
      if (start >= (bounds[day] as number)) perDay[day]?.push(start);
    }
    placed.set(providerId, perDay);
  }
  return placed;
}

/**
 * The body of `GET /doctors/schedule` (§3, §7). Written as text because 25,920 slots are turned
 * into objects and back nowhere, and joined once, because a text that grows piece by piece is copied
 * when it is read; the contract test reads it. `except` are steps shown as free: the holder's own.
 */
export function scheduleAnswer(
  days: readonly ClinicDate[],
  rows: readonly ProviderDayRow[],
  taken: readonly TakenSteps[],
  except: StandingHold | null = null,
): string {
  const placed = takenByDay(days, taken);
  const byDay = Map.groupBy(rows, ({ date }) => date);
  const parts = ['{"success":true,"extras":['];
  for (const [at, day] of days.entries()) {
    parts.push(`${at === 0 ? '' : ','}{"date":"${day}","providers":[`);
    for (const [place, row] of (byDay.get(day) ?? []).entries()) {
      const doctor = JSON.stringify(row.providerId);
      const booked = (placed.get(row.providerId)?.[at] ?? []).filter(
        (start) => except === null || !covers(except, row.providerId, start),
      );
      const opening = `{"doctor":${doctor},"start":`;
      parts.push(`${place === 0 ? '' : ','}{"doctor":${doctor},"schedule":[`, slotsText(row));
      parts.push('],"booked":[');
      if (booked.length > 0) parts.push(opening, booked.join(`},${opening}`), '}');
      parts.push(']}');
    }
    parts.push(']}');
  }
  parts.push(']}');
  return parts.join('');
}

/** Whether a hold takes a provider's step. */
export function covers(hold: StandingHold, providerId: string, start: EpochSeconds): boolean {
  return hold.providerId === providerId && start >= hold.start && start < hold.end;
}
