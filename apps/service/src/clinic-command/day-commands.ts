import { formatAppointment, formatFee, isClinicDate, toClinic } from '@clinic/domain';

import { expandSchedule } from '../adapters/clinic-records-postgres/expand-schedule.ts';
import { offeredMinutes } from '../adapters/clinic-records-postgres/offered-minutes.ts';
import { STATISTICS_COLUMNS, cancelDay, closeDay, statistics } from '../modules/desk/index.ts';
import { type Command, CommandRefused } from './command.ts';
import type { Given } from './given.ts';

function wantedDate(typed: string | null, what: string): string {
  if (typed === null || !isClinicDate(typed))
    throw new CommandRefused(`${what} must be a date such as 2026-12-01.`);
  return typed;
}

const cancel: Command = {
  name: 'cancel-day',
  summary: 'Cancel a day of a doctor: the patients are told by mail and get their money back.',
  arguments: [
    { name: 'doctor', what: 'The id of the doctor.' },
    { name: 'date', what: 'Such as 2026-12-01.' },
  ],
  async run({ platform, actor, say }, given) {
    const doctor = given.argument('doctor');
    const day = wantedDate(given.argument('date'), '<date>');
    const now = platform.clock.now();
    const today = toClinic(now).date;
    if (day < today) throw new CommandRefused('This day is over.');
    const who = { actor, now };
    if (!(await closeDay(platform, doctor, day, who)))
      throw new CommandRefused(`No doctor has the id '${doctor}'.`);
    await expandSchedule(platform.database, today);
    const { cancelled, released, underWay } = await cancelDay(platform, doctor, day, who);
    for (const { start, patientId, chartId, paidCents } of cancelled) {
      const whose =
        patientId === null ? `chart ${chartId}, no account: please call` : 'told by mail';
      const money = paidCents > 0 ? `, ${formatFee(paidCents)} goes back` : '';
      say(`${formatAppointment(start)}  ${whose}${money}`);
    }
    say(`${cancelled.length} visits cancelled, ${released} held times taken back.`);
    if (underWay > 0)
      say(`${underWay} are being booked at this moment: run this again in a few minutes.`);
  },
};

const MONTHS_BACK = 12;

const counts: Command = {
  name: 'statistics',
  summary: 'Bookings, patients, minutes and cancellations by month and doctor, as a CSV file.',
  options: {
    from: { kind: 'text', what: 'The first day; a year ago unless said otherwise.' },
    to: { kind: 'text', what: 'The last day; today unless said otherwise.' },
  },
  async run({ platform, say, give }, given) {
    const today = toClinic(platform.clock.now()).date;
    const [from, to] = [dayOf(given, 'from', yearBefore(today)), dayOf(given, 'to', today)];
    if (to < from) throw new CommandRefused('--to must not come before --from.');
    const { db } = platform.database;
    const rows = await statistics(db, from, to, await offeredMinutes(db, from, to));
    const lines = rows.map((row) => STATISTICS_COLUMNS.map((column) => row[column]).join(','));
    const csv = [STATISTICS_COLUMNS.join(','), ...lines, ''].join('\n');
    give(`statistics-${from}-${to}.csv`, Buffer.from(csv, 'utf8'));
    say(`${rows.length} rows; the rows of 'all' are the whole clinic's.`);
  },
};

const dayOf = (given: Given, option: string, usual: string): string =>
  given.text(option) === null ? usual : wantedDate(given.text(option), `--${option}`);

/** The first day of the month a year before. */
const yearBefore = (date: string): string =>
  `${Number(date.slice(0, 4)) - MONTHS_BACK / 12}${date.slice(4, 8)}01`;

export const dayCommands: readonly Command[] = [cancel, counts];
