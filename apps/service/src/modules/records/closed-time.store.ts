import { CLOSED_DAY, datesOf, dayRuler, overlaid, replacedBetween, toClinic } from '@clinic/domain';
import type { ClinicDate, DayRuler, EpochSeconds, SaidOfDay } from '@clinic/domain';
import type { Db, Tx } from '../../database/db.ts';
import { putRows } from '../../database/put-rows.ts';
import {
  NO_EXCEPTION,
  codesOn,
  exceptionsBetween,
  expandIn,
  keyOfDay,
  lockSchedule,
  standingDays,
  writeDays,
} from './schedule.store.ts';
import { recordsException } from './schema.ts';
import { exceptionsOf, templatesOf } from './week.store.ts';

/** Time of providers, from an instant to another (exclusive). */
export interface ProviderTime {
  readonly providerIds: readonly string[];
  readonly from: EpochSeconds;
  readonly to: EpochSeconds;
}

/** Closed time, with the exceptions of its days before; days without one are left out. */
export interface ClosedTime extends ProviderTime {
  readonly before: readonly SaidOfDay[];
}

export type DayOfProvider = Omit<SaidOfDay, 'codes'>;

const exceptionOf = ({ before }: ClosedTime, day: DayOfProvider): string =>
  before.find((each) => keyOfDay(each) === keyOfDay(day))?.codes ?? NO_EXCEPTION;

const ofProvider = (standing: readonly ClosedTime[], { providerId }: DayOfProvider) =>
  standing.filter(({ providerIds }) => providerIds.includes(providerId));

/** A provider's day, whose steps are at the instants of its ruler. */
interface RuledDay {
  readonly day: DayOfProvider;
  readonly ruler: DayRuler;
}

const ruled = (day: DayOfProvider): RuledDay => ({ day, ruler: dayRuler(day.clinicDate) });

/** The providers' days that have some of a time, and their dates. */
function daysOf({ providerIds, from, to }: ProviderTime) {
  const dates = { from: toClinic(from).date, to: toClinic(to - 1).date };
  const days = datesOf(dates).flatMap((clinicDate) => {
    const ruler = dayRuler(clinicDate);
    return providerIds.map((providerId) => ({ day: { providerId, clinicDate }, ruler }));
  });
  return { dates, days };
}

/** A day's exception as it would be without the closings. */
const beneath = (codes: string, { day, ruler }: RuledDay, standing: readonly ClosedTime[]) =>
  ofProvider(standing, day).reduce(
    (left, closed) => replacedBetween(left, ruler, closed, exceptionOf(closed, day)),
    codes,
  );

/** A day's exception with the closings applied to it. */
const closedOver = (codes: string, { day, ruler }: RuledDay, standing: readonly ClosedTime[]) =>
  ofProvider(standing, day).reduce(
    (left, closed) => replacedBetween(left, ruler, closed, CLOSED_DAY),
    codes,
  );

/** Reads the other closings of the same days; called under the lock on the schedule. */
type OtherClosings = () => Promise<readonly ClosedTime[]>;

/**
 * Closes time by exceptions of its days: from the commit on none of it is offered. Returns the
 * exceptions of these days without the closings.
 */
export async function closeSchedule(
  tx: Tx,
  time: ProviderTime,
  otherClosings: OtherClosings,
): Promise<SaidOfDay[]> {
  await lockSchedule(tx);
  const { dates, days } = daysOf(time);
  const exceptionOn = await exceptionsBetween(tx, dates);
  await putRows(
    tx,
    recordsException,
    days.map(({ day, ruler }) => ({
      ...day,
      codes: replacedBetween(exceptionOn(day), ruler, time, CLOSED_DAY),
    })),
  );
  const rulers = new Map(days.map(({ day, ruler }) => [keyOfDay(day), ruler]));
  const standing = await standingDays(tx, dates);
  const closed = standing.flatMap((row) => {
    const ruler = rulers.get(keyOfDay(row));
    return ruler ? { ...row, codes: replacedBetween(row.codes, ruler, time, CLOSED_DAY) } : [];
  });
  await writeDays(tx, standing, closed);
  const others = await otherClosings();
  return days.flatMap((each) => {
    const codes = beneath(exceptionOn(each.day), each, others);
    return codes === NO_EXCEPTION ? [] : { ...each.day, codes };
  });
}

/**
 * Reopens closed time: its days get the exceptions that they had before, and what other closings
 * close of them stays closed. If an EMR keeps a provider's days, they are offered once it is read again.
 */
export async function reopenSchedule(
  tx: Tx,
  time: ClosedTime,
  otherClosings: OtherClosings,
  today: ClinicDate,
): Promise<void> {
  await lockSchedule(tx);
  const { dates, days } = daysOf(time);
  const exceptionOn = await exceptionsBetween(tx, dates);
  const others = await otherClosings();
  const exceptions = days.map((each) => {
    const { day, ruler } = each;
    const opened = replacedBetween(exceptionOn(day), ruler, time, exceptionOf(time, day));
    return { ...day, codes: closedOver(opened, each, others) };
  });
  await putRows(tx, recordsException, exceptions);
  await expandIn(tx, today);
}

/** A single day of a provider. */
export interface SingleDay {
  /** What the clinic has set for the day; null when the day follows the week. */
  readonly exception: string | null;
  readonly week: string;
  /** The codes that the day would offer with this exception, less what is closed of it. */
  readonly offeredWith: (exception: string | null) => string;
}

export async function singleDay(
  db: Db,
  day: DayOfProvider,
  standing: readonly ClosedTime[],
): Promise<SingleDay> {
  const { providerId, clinicDate } = day;
  const exceptionOn = await exceptionsBetween(db, { from: clinicDate, to: clinicDate });
  const codes = beneath(exceptionOn(day), ruled(day), standing);
  const week = codesOn(clinicDate, providerId, await templatesOf(db, providerId), []);
  return {
    exception: codes === NO_EXCEPTION ? null : overlaid(codes, week),
    week,
    offeredWith: (exception) =>
      overlaid(closedOver(exception ?? NO_EXCEPTION, ruled(day), standing), week),
  };
}

/** The days from a date on for which the clinic has set something other than the provider's week. */
export async function daysWithException(
  db: Db,
  { providerId, clinicDate }: DayOfProvider,
  standing: readonly ClosedTime[],
): Promise<ClinicDate[]> {
  return (await exceptionsOf(db, providerId))
    .filter((day) => day.clinicDate >= clinicDate)
    .filter((day) => beneath(day.codes, ruled(day), standing) !== NO_EXCEPTION)
    .map((day) => day.clinicDate)
    .sort();
}

/** Sets what a single day is like; null leaves it to the week. What is closed of it stays closed. */
export async function setSingleDay(
  tx: Tx,
  { codes, ...day }: DayOfProvider & { readonly codes: string | null },
  standing: readonly ClosedTime[],
  today: ClinicDate,
): Promise<void> {
  const under = closedOver(codes ?? NO_EXCEPTION, ruled(day), standing);
  await putRows(tx, recordsException, [{ ...day, codes: under }]);
  await expandIn(tx, today);
}
