import { asInOther, closedBetween, datesOf, dayRuler, toClinic } from '@clinic/domain';
import type { ClinicDate, EpochSeconds, SaidOfDay } from '@clinic/domain';
import type { Tx } from '../../database/db.ts';
import { putRows } from '../../database/put-rows.ts';
import {
  NO_EXCEPTION,
  exceptionsBetween,
  expandIn,
  keyOf,
  lockSchedule,
  standingDays,
  writeDays,
} from './schedule.store.ts';
import { recordsException } from './schema.ts';

/** Time of providers, from an instant to another, which is no more of it. */
export interface ProviderTime {
  readonly providerIds: readonly string[];
  readonly from: EpochSeconds;
  readonly to: EpochSeconds;
}

/** Time that is closed, and what was said of its days before; those of which nothing was are left out. */
export interface ClosedTime extends ProviderTime {
  readonly before: readonly SaidOfDay[];
}

const saidOf = ({ before }: ClosedTime, day: { clinicDate: string; providerId: string }): string =>
  before.find((each) => keyOf(each) === keyOf(day))?.codes ?? NO_EXCEPTION;

/** What else is closed of the same days; asked once nobody else closes or opens time. */
type OtherClosings = () => Promise<readonly ClosedTime[]>;

/**
 * Closes time, as exceptions of its days: from the commit on nothing of it is offered any more. Gives
 * what the clinic has said of these days apart from closing them.
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
      const said = before.get(keyOf({ clinicDate, providerId })) ?? NO_EXCEPTION;
      return { providerId, clinicDate, codes: closedBetween(said, ruler, { from, to }) };
    }),
  );
  for (let at = 0; at < exceptions.length; at += 500)
    await putRows(tx, recordsException, exceptions.slice(at, at + 500));
  const days = await standingDays(tx, dates);
  const closed = days
    .filter(({ providerId }) => providerIds.includes(providerId))
    .map((day) => {
      const ruler = rulers.get(day.clinicDate) ?? dayRuler(day.clinicDate);
      return { ...day, codes: closedBetween(day.codes, ruler, { from, to }) };
    });
  await writeDays(tx, days, closed);
  const others = await otherClosings();
  return exceptions.flatMap(({ providerId, clinicDate }) => {
    const day = { providerId, clinicDate };
    const said = others
      .filter((other) => other.providerIds.includes(providerId))
      .reduce(
        (codes, other) =>
          asInOther(
            codes,
            rulers.get(clinicDate) ?? dayRuler(clinicDate),
            other,
            saidOf(other, day),
          ),
        before.get(keyOf(day)) ?? NO_EXCEPTION,
      );
    return said === NO_EXCEPTION ? [] : [{ ...day, codes: said }];
  });
}

/**
 * Opens closed time again: its days are as they were said to be before, and what others close of them
 * stays closed. Of a provider whose days an EMR keeps, they are offered once it was read again.
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
  const said = await exceptionsBetween(tx, dates);
  const others = await otherClosings();
  const exceptions = datesOf(dates).flatMap((clinicDate) => {
    const ruler = dayRuler(clinicDate);
    return providerIds.map((providerId) => {
      const day = { providerId, clinicDate };
      const codes = said.get(keyOf(day)) ?? NO_EXCEPTION;
      return {
        ...day,
        codes: others
          .filter((other) => other.providerIds.includes(providerId))
          .reduce(
            (left, other) => closedBetween(left, ruler, other),
            asInOther(codes, ruler, { from, to }, saidOf(time, day)),
          ),
      };
    });
  });
  for (let at = 0; at < exceptions.length; at += 500)
    await putRows(tx, recordsException, exceptions.slice(at, at + 500));
  await expandIn(tx, today);
}
