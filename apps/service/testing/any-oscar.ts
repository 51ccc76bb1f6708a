import { randomInt } from 'node:crypto';

import { type Oscar, isLive, keysIn, providerNo } from '@clinic/oscar';
import { addDays, daysBetween, toInstant } from '@clinic/domain';
import { z } from 'zod';

import { connectedBy } from '../src/adapters/emr-oscar/ask-oscar.ts';
import { oscarCredentials, oscarsAt } from '../src/adapters/emr-oscar/connection.ts';
import { type OpenedRecords, oscarEmr } from '../src/adapters/emr-oscar/oscar-emr.ts';
import { seesPatients } from '../src/adapters/emr-oscar/schedule.ts';
import type { EmrEntry, ProviderId, RecordId, WallSpan } from '../src/modules/records/emr.ts';
import type { EmrUnderTest } from './emr.suite.ts';

/** An OSCAR that a clinic has set up for trying. */
export const anyOscar = z.object({
  base: z.url(),
  credentials: oscarCredentials,
  /** The number of its test patient. */
  patient: z.string().regex(/^[1-9]\d{0,9}$/),
  /** Its date. */
  today: z.iso.date(),
  /** One of its sites, where it has some. */
  site: z.string().default(''),
});

/** What the service keeps in its table. */
export function openedRecords() {
  const rows = new Map<string, { emrId: string | null; askedAt: number; earlier: string[] }>();
  const named = (emrId: string) => [...rows].find(([, row]) => row.emrId === emrId)?.[0] ?? null;
  return {
    rows,
    find: async (id) => rows.get(id) ?? null,
    named: async (emrId) => named(emrId),
    async ask(id, now, since) {
      if ((rows.get(id)?.askedAt ?? 0) > since) return false;
      rows.set(id, { emrId: null, askedAt: now, earlier: [] });
      return true;
    },
    async keep(id, emrId) {
      rows.set(id, { emrId, askedAt: 0, earlier: [] });
    },
    async take(id, emrId) {
      if (![null, id].includes(named(emrId))) return false;
      rows.set(id, { emrId, askedAt: 0, earlier: [] });
      return true;
    },
    async forget(id) {
      rows.delete(id);
    },
  } satisfies OpenedRecords & { rows: unknown };
}

interface Hour {
  readonly providerId: ProviderId;
  readonly date: string;
  /** Minutes of the day. */
  readonly from: number;
}

/** The hour that the suite books in. */
const SUITE: Hour = { providerId: '101' as ProviderId, date: '2026-12-15', from: 8 * 60 };
const HOUR = 60;
const AHEAD = { from: 7, to: 60 };

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
const clockOf = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** A doctor's hour between a week and two months ahead that has a template, and that nobody has booked. */
async function freeHour({ urgent }: Oscar, today: string): Promise<Hour> {
  const doctors = (await urgent.providers()).filter(seesPatients);
  for (let day = AHEAD.from; day <= AHEAD.to; day += 1)
    for (const { no } of doctors) {
      const date = addDays(today, day);
      const template = await urgent.dayTemplate(no, date);
      if (template === null || template.isHoliday) continue;
      const taken = await urgent.appointments({ providers: [no], from: date, to: date });
      const steps = new Set(template.steps.map(({ start }) => minutesOf(start)));
      const length = template.stepMinutes;
      for (const from of steps) {
        const offered = Array.from(
          { length: Math.ceil(HOUR / length) },
          (_, at) => from + at * length,
        );
        const isFree = taken.every(
          ({ span }) => minutesOf(span.end) <= from || minutesOf(span.start) >= from + HOUR,
        );
        if (isFree && offered.every((step) => steps.has(step)))
          return { providerId: no as string as ProviderId, date, from };
      }
    }
  throw new Error(
    `No doctor has a free hour in a template ${AHEAD.from} to ${AHEAD.to} days ahead`,
  );
}

/** What stands in or around the one hour, in or around the other. */
function moved(from: Hour, to: Hour) {
  const provider = (id: ProviderId) => (id === from.providerId ? to.providerId : id);
  const date = (each: string) => addDays(to.date, daysBetween(from.date, each));
  const clock = (each: string) => clockOf(minutesOf(each) + to.from - from.from);
  const span = <Span extends WallSpan & { readonly providerId: ProviderId }>(each: Span): Span => ({
    ...each,
    providerId: provider(each.providerId),
    date: date(each.date),
    start: clock(each.start),
    end: clock(each.end),
  });
  return { provider, date, span };
}

/** Plays the suite's hour in a free hour of the clinic, under keys that nobody else has. */
export async function openAnyOscar({
  base,
  credentials,
  patient,
  site,
  today,
}: z.output<typeof anyOscar>) {
  const [oscar] = oscarsAt([base], credentials);
  if (oscar === undefined) throw new Error('There is no address');
  const { urgent } = oscar;
  const hour = await freeHour(oscar, today);
  const [type = ''] = await urgent.appointmentTypes();
  const run = `suite-${randomInt(1e9)}`;
  let opened = 0;

  const [there, here] = [moved(SUITE, hour), moved(hour, SUITE)];

  const open = (): EmrUnderTest => {
    opened += 1;
    const prefix = `${run}-${opened}-`;
    const keyHere = (key: string) => key.slice(prefix.length);
    const isOurs = (key: string | null) => key?.startsWith(prefix) === true;
    const entryHere = (entry: EmrEntry): EmrEntry => ({
      ...here.span(entry),
      key: entry.key === null ? null : keyHere(entry.key),
    });
    const emr = oscarEmr({
      connection: connectedBy({ addresses: [oscar], programId: credentials.programId }),
      opened: openedRecords(),
      whose: async (key) => (key.endsWith('never') ? null : (patient as RecordId)),
      nameOfType: async () => type,
      locationOf: async () => site,
      now: () => toInstant(today, '12:00'),
    });
    const found = (entry: EmrEntry | 'cancelled' | null) =>
      entry === null || entry === 'cancelled' ? entry : entryHere(entry);
    return {
      emr: {
        ...emr,
        book: (request, reached) =>
          emr.book({ ...there.span(request), key: `${prefix}${request.key}` }, reached),
        findByKey: async (key) => found(await emr.findByKey(`${prefix}${key}`)),
        resolve: async (key) => found(await emr.resolve(`${prefix}${key}`)),
        cancel: (key, entry) =>
          emr.cancel(`${prefix}${key}`, {
            ...there.span(entry),
            key: `${prefix}${entry.key ?? ''}`,
          }),
        async entries({ from, to }, providers) {
          const dates = { from: there.date(from), to: there.date(to) };
          const all = await emr.entries(dates, providers?.map(there.provider));
          return all.filter(({ key }) => isOurs(key)).map(entryHere);
        },
        async changedSince(cursor) {
          const { days, ...rest } = await emr.changedSince(cursor);
          const daysHere = days.map(({ providerId, date }) => ({
            providerId: here.provider(providerId),
            date: here.date(date),
          }));
          return { ...rest, days: daysHere };
        },
        addTickler: (key, tickler) =>
          emr.addTickler(key, { ...tickler, providerId: there.provider(tickler.providerId) }),
      },
      async busy() {
        const rows = await ownRows();
        return rows
          .filter(({ status }) => isLive(status))
          .flatMap(({ span, ...row }) =>
            keysIn(row)
              .filter(isOurs)
              .map((key) => ({
                key: keyHere(key),
                ...here.span({ ...span, providerId: hour.providerId }),
              })),
          );
      },
    };
  };

  const ownRows = async () => {
    const days = { providers: [providerNo(hour.providerId)], from: hour.date, to: hour.date };
    const rows = await urgent.appointments(days);
    return rows.filter((row) => keysIn(row).some((key) => key.startsWith(run)));
  };

  return {
    open,
    hour: `${hour.date} ${clockOf(hour.from)} with ${hour.providerId}`,
    numberOf: (name: string) => (name === 'c1' ? patient : `${run}-${name}`),
    newcomer: () => ({
      lastName: `Suite ${word()}`,
      birthDate: addDays('1901-01-01', randomInt(20_000)),
      cardNumber: `9${String(randomInt(1e9)).padStart(9, '0')}`,
    }),
    /** Deletes its appointments; where OSCAR lets the token delete nothing, they stay as cancelled. */
    async tidy() {
      for (const { no, status } of await ownRows()) {
        if (isLive(status)) await urgent.cancelAppointment(no);
        await urgent.deleteAppointment(no).catch(() => undefined);
      }
    },
  };
}

const word = () => Array.from({ length: 8 }, () => 'aeioulmnrst'.charAt(randomInt(11))).join('');
