import { CLOSED_DAY, datesOf, dayRuler, overlaid, replacedBetween, toClinic } from '@clinic/domain';
import type { ClinicDate, EpochSeconds, SaidOfDay } from '@clinic/domain';
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

/** Closed time, with what the clinic had said of its days before; days without that are left out. */
export interface ClosedTime extends ProviderTime {
  readonly before: readonly SaidOfDay[];
}

export type DayOfProvider = Omit<SaidOfDay, 'codes'>;

const exceptionOf = ({ before }: ClosedTime, day: DayOfProvider): string =>
  before.find((each) => keyOfDay(each) === keyOfDay(day))?.codes ?? NO_EXCEPTION;

const ofProvider = (standing: readonly ClosedTime[], { providerId }: DayOfProvider) =>
  standing.filter(({ providerIds }) => providerIds.includes(providerId));

/** A day's exception as it would be without the closings. */
const beneath = (
  codes: string,
  day: DayOfProvider,
  standing: readonly ClosedTime[],
  ruler = dayRuler(day.clinicDate),
): string =>
  ofProvider(standing, day).reduce(
    (left, closed) => replacedBetween(left, ruler, closed, exceptionOf(closed, day)),
    codes,
  );

/** A day's exception with the closings applied to it. */
const closedOver = (
  codes: string,
  day: DayOfProvider,
  standing: readonly ClosedTime[],
  ruler = dayRuler(day.clinicDate),
): string =>
  ofProvider(standing, day).reduce(
    (left, closed) => replacedBetween(left, ruler, closed, CLOSED_DAY),
    codes,
  );

/** Reads the other closings of the same days; called under the lock on the schedule. */
type OtherClosings = () => Promise<readonly ClosedTime[]>;

/**
 * Closes time by exceptions of its days: from the commit on none of it is offered. Returns what the
 * clinic had said of these days apart from closing them.
 */
export async function closeSchedule(
  tx: Tx,
  { providerIds, from, to }: ProviderTime,
  otherClosings: OtherClosings,
): Promise<SaidOfDay[]> {
  await lockSchedule(tx);
  const dates = { from: toClinic(from).date, to: toClinic(to - 1).date };
  const rulers = new Map(datesOf(dates).map((date) => [date, dayRuler(date)]));
  const before = await exceptionsBetween(tx, dates);
  const exceptions = [...rulers].flatMap(([clinicDate, ruler]) =>
    providerIds.map((providerId) => {
      const exception = before.get(keyOfDay({ clinicDate, providerId })) ?? NO_EXCEPTION;
      return {
        providerId,
        clinicDate,
        codes: replacedBetween(exception, ruler, { from, to }, CLOSED_DAY),
      };
    }),
  );
  for (let at = 0; at < exceptions.length; at += 500)
    await putRows(tx, recordsException, exceptions.slice(at, at + 500));
  const days = await standingDays(tx, dates);
  const closed = days
    .filter(({ providerId }) => providerIds.includes(providerId))
    .map((day) => {
      const ruler = rulers.get(day.clinicDate) ?? dayRuler(day.clinicDate);
      return { ...day, codes: replacedBetween(day.codes, ruler, { from, to }, CLOSED_DAY) };
    });
  await writeDays(tx, days, closed);
  const others = await otherClosings();
  return exceptions.flatMap(({ providerId, clinicDate }) => {
    const day = { providerId, clinicDate };
    const exception = beneath(
      before.get(keyOfDay(day)) ?? NO_EXCEPTION,
      day,
      others,
      rulers.get(clinicDate),
    );
    return exception === NO_EXCEPTION ? [] : [{ ...day, codes: exception }];
  });
}

/**
 * Reopens closed time: its days become what the clinic had said of them before, and what other closings
 * close of them stays closed. If an EMR keeps a provider's days, they are offered once it is read again.
 */
export async function reopenSchedule(
  tx: Tx,
  time: ClosedTime,
  otherClosings: OtherClosings,
  today: ClinicDate,
): Promise<void> {
  await lockSchedule(tx);
  const { providerIds, from, to } = time;
  const dates = { from: toClinic(from).date, to: toClinic(to - 1).date };
  const standing = await exceptionsBetween(tx, dates);
  const others = await otherClosings();
  const exceptions = datesOf(dates).flatMap((clinicDate) => {
    const ruler = dayRuler(clinicDate);
    return providerIds.map((providerId) => {
      const day = { providerId, clinicDate };
      const codes = standing.get(keyOfDay(day)) ?? NO_EXCEPTION;
      return {
        ...day,
        codes: closedOver(
          replacedBetween(codes, ruler, { from, to }, exceptionOf(time, day)),
          day,
          others,
          ruler,
        ),
      };
    });
  });
  for (let at = 0; at < exceptions.length; at += 500)
    await putRows(tx, recordsException, exceptions.slice(at, at + 500));
  await expandIn(tx, today);
}

/** A single day of a provider. */
export interface SingleDay {
  /** What the clinic has said of the day; null when the day is as the week says. */
  readonly said: string | null;
  readonly week: string;
  /** The codes that the day would offer, less what is closed of it, if `said` were said of it. */
  readonly offeredWith: (said: string | null) => string;
}

export async function singleDay(
  db: Db,
  day: DayOfProvider,
  standing: readonly ClosedTime[],
): Promise<SingleDay> {
  const { providerId, clinicDate } = day;
  const exceptions = await exceptionsBetween(db, { from: clinicDate, to: clinicDate });
  const codes = beneath(exceptions.get(keyOfDay(day)) ?? NO_EXCEPTION, day, standing);
  const week = codesOn(clinicDate, providerId, await templatesOf(db, providerId), []);
  return {
    said: codes === NO_EXCEPTION ? null : overlaid(codes, week),
    week,
    offeredWith: (said) => overlaid(closedOver(said ?? NO_EXCEPTION, day, standing), week),
  };
}

/** The days from a date on for which the clinic has said something other than the provider's week. */
export async function daysSaidFrom(
  db: Db,
  { providerId, clinicDate }: DayOfProvider,
  standing: readonly ClosedTime[],
): Promise<ClinicDate[]> {
  return (await exceptionsOf(db, providerId))
    .filter((day) => day.clinicDate >= clinicDate)
    .filter((day) => beneath(day.codes, day, standing) !== NO_EXCEPTION)
    .map((day) => day.clinicDate)
    .sort();
}

/** Sets what a single day is like; null leaves it to the week. What is closed of it stays closed. */
export async function saySingleDay(
  tx: Tx,
  { codes, ...day }: DayOfProvider & { readonly codes: string | null },
  standing: readonly ClosedTime[],
  today: ClinicDate,
): Promise<void> {
  const under = closedOver(codes ?? NO_EXCEPTION, day, standing);
  await putRows(tx, recordsException, [{ ...day, codes: under }]);
  await expandIn(tx, today);
}
