import {
  type Appointment,
  type DemographicNo,
  type Oscar,
  type Patient,
  appointmentNo,
  appointmentType,
  firstWritten,
  isLive,
  providerNo,
} from '@clinic/oscar';
import { stepOfTime } from '@clinic/domain';

import {
  type AddAnswer,
  type BookAnswer,
  type BookRequest,
  type BookingReached,
  type Emr,
  type EmrEntry,
  EmrOffline,
  EmrRefused,
  type RecordId,
} from '../../modules/records/emr.ts';
import { askOscar } from './ask-oscar.ts';
import { PER_MINUTE } from './connection.ts';
import { type PatientPorts, oneAtATime, patientsOf } from './patients.ts';
import { dayOf, entryId, entryOf, hasOurKey, scheduleOf, standing } from './schedule.ts';

export type { OpenedRecords } from './patients.ts';

export interface OscarEmrOptions extends PatientPorts {
  /** The patient record of the appointment that one of our keys names; null for an unknown key. */
  readonly whose: (key: string) => Promise<RecordId | null>;
  /** The name that OSCAR's day sheet shows for one of our types. */
  readonly nameOfType: (type: string) => Promise<string>;
  /** The site of a provider: empty where OSCAR has none, null where it has some and this provider has none. */
  readonly locationOf: (providerId: string) => Promise<string | null>;
}

/** What staff read before the key in the notes: a bare key invites them to delete it. */
const ABOUT_KEY = 'Booked online, leave this:';
const TYPE_LENGTH = 50;
const NAME_LENGTH = 24;

/** OSCAR behind the port of docs/emr.md. */
export function oscarEmr(options: OscarEmrOptions): Emr {
  const { connection, whose, nameOfType, locationOf, now } = options;
  const ask = askOscar(connection);
  const { everOf, chartsOf, ...patients } = patientsOf(ask, options);

  const bookings = new Map<BookAnswer['kind'], number>();
  const counted = (answer: BookAnswer) => {
    bookings.set(answer.kind, (bookings.get(answer.kind) ?? 0) + 1);
    return answer;
  };

  /** The charts that the patient of a key has been, each before those that staff merged it into since. */
  async function* chartsUnder({ urgent }: Oscar, key: string): AsyncGenerator<DemographicNo> {
    const recordId = await whose(key);
    for (const first of recordId ? await everOf(recordId) : []) {
      yield first;
      for (const { no } of (await urgent.merges(first)).slice(1)) yield no;
    }
  }

  async function underOneOf<Found extends Appointment | 'cancelled'>(
    oscar: Oscar,
    key: string,
    find: (no: DemographicNo) => Promise<Found | null>,
  ): Promise<Found | null> {
    let found: Found | null = null;
    for await (const no of chartsUnder(oscar, key)) {
      const there = await find(no);
      if (doesStand(there)) return there;
      found ??= there;
    }
    return found;
  }

  async function book(
    oscar: Oscar,
    request: BookRequest,
    reached: BookingReached,
  ): Promise<BookAnswer> {
    await reached('asking');
    const charts = await chartsOf(oscar, request.recordId);
    const patient = charts.at(-1);
    if (!patient) return { kind: 'noRecord' };
    const before = (await everOf(request.recordId)).slice(1);
    for (const no of [...charts.slice(0, -1).map(({ no: each }) => each), ...before]) {
      const earlier = await oscar.urgent.findByKey(request.key, no);
      if (doesStand(earlier)) return { kind: 'alreadyBooked', id: entryId(earlier.no) };
      if (earlier !== null) return { kind: 'taken' };
    }
    const location = await locationOf(request.providerId);
    if (location === null || !(await isOffered(oscar, request))) return { kind: 'notOffered' };
    const { date, start, end } = request;
    const draft = {
      key: request.key,
      providerNo: providerNo(request.providerId),
      demographicNo: patient.no,
      patient: namesOf(patient),
      span: { date, start, end },
      type: appointmentType(storable(await nameOfType(request.type)).slice(0, TYPE_LENGTH)),
      reason: storable(request.reason),
      notes: ABOUT_KEY,
      location,
    };
    const answer = await oscar.book(draft, () => reached('writing'));
    if (answer.kind === 'booked') return { kind: 'booked', id: entryId(answer.no) };
    if (answer.kind === 'alreadyBooked')
      return { kind: 'alreadyBooked', id: entryId(answer.appointment.no) };
    return { kind: 'taken' };
  }

  const addTo = (
    id: RecordId,
    key: string,
    add: (oscar: Oscar, no: DemographicNo) => Promise<unknown>,
  ): Promise<AddAnswer> =>
    ask(async (oscar) => {
      const no = (await chartsOf(oscar, id)).at(-1)?.no;
      if (!no) return 'noRecord';
      await add(oscar, no);
      return 'added';
    }, key);

  // Two of our bookings at once would find each other in the day, and both would be taken back.
  const inTurn = oneAtATime();

  return {
    ...scheduleOf(ask, now),
    ...patients,

    async book(request, reached = async () => undefined) {
      await reached('queued');
      return inTurn(`${request.providerId} ${request.date}`, async () =>
        counted(await ask((oscar) => book(oscar, request, reached), request.key)),
      );
    },

    cancel: (key, entry) =>
      ask(async ({ urgent }) => {
        const no = appointmentNo(entry.id);
        const found = await urgent.appointment(no);
        if (found === null) return { kind: 'notFound' };
        if (!isLive(found.status)) return { kind: 'cancelled' };
        if (entryOf(found).state !== 'booked' || !isAt(found, entry)) return { kind: 'changed' };
        const isDone = await urgent.cancelAppointment(no);
        return { kind: isDone ? 'cancelled' : 'changed' };
      }, key),

    findByKey: (key) =>
      ask(async (oscar) =>
        standing(await underOneOf(oscar, key, (no) => oscar.urgent.findByKey(key, no))),
      ),

    findWithoutKey: ({ key, providerId, date, start }) =>
      ask(async (oscar) => {
        const rows: Appointment[] = [];
        for await (const no of chartsUnder(oscar, key))
          rows.push(...(await oscar.urgent.appointmentsOfPatient(no)));
        const there = rows.filter(
          (row) =>
            isLive(row.status) &&
            !hasOurKey(row) &&
            row.providerNo === providerNo(providerId) &&
            row.span.date === date &&
            row.span.start === start,
        );
        const first = firstWritten(there);
        return first ? { ...entryOf(first), key: null } : null;
      }),

    writeKey: (key, entry) =>
      ask(async ({ urgent }) => {
        const no = appointmentNo(entry.id);
        const found = await urgent.appointment(no);
        if (found === null || hasOurKey(found) || !isAt(found, entry)) return false;
        return urgent.writeKey(no, key, ABOUT_KEY);
      }, key),

    followChart: (key) =>
      ask(async (oscar) => {
        const { urgent } = oscar;
        const recordId = await whose(key);
        const found = await underOneOf(oscar, key, (no) => urgent.findByKey(key, no));
        const head = recordId && (await chartsOf(oscar, recordId)).at(-1);
        if (!doesStand(found) || !head) return 'absent';
        if (found.demographicNo === head.no) return 'followed';
        return (await urgent.setPatient(found.no, head.no, namesOf(head))) ? 'followed' : 'changed';
      }, key),

    resolve: (key) =>
      ask(
        async (oscar) => standing(await underOneOf(oscar, key, (no) => oscar.settle(key, no))),
        key,
      ),

    addTickler: (key, { providerId, recordId, text, date }) =>
      addTo(recordId, key, ({ urgent }, demographicNo) =>
        urgent.addTickler({
          key: key.replaceAll(/\s/g, '-'),
          demographicNo,
          assignedTo: providerNo(providerId),
          text: storable(text),
          due: date,
        }),
      ),

    storeDocument: (key, { recordId, name, mediaType, description, bytes }) =>
      addTo(recordId, key, (oscar, demographicNo) =>
        oscar.storeDocument({
          demographicNo,
          fileName: name,
          contentType: mediaType,
          description: storable(description),
          source: 'Sent online',
          bytes,
        }),
      ),

    takeUp: connection.takeUp,

    tryKeys: (keys, withinSeconds) =>
      Promise.all(
        keys.map(async (key) => {
          const { tokenEndsAt, tokenSeconds } = key === 'token' ? connection.current() : {};
          const end = { endsAt: tokenEndsAt ?? null, livesSeconds: tokenSeconds ?? null };
          const taken = { key, state: 'taken' as const, why: null, ...end };
          try {
            await ask(async ({ urgent }) => {
              if (urgent.wasTaken(key, withinSeconds)) return;
              await (key === 'login' ? urgent.checkLogin() : urgent.checkToken());
            });
            return taken;
          } catch (error) {
            if (error instanceof EmrOffline) return { ...taken, state: 'silent' as const };
            if (!(error instanceof EmrRefused)) throw error;
            return { ...taken, state: 'refused' as const, why: error.message };
          }
        }),
      ),

    usage: {
      requests: () => sumOf(connection.current().addresses.map((oscar) => oscar.counts())),
      budget: () => ({
        perMinute: PER_MINUTE,
        left: Math.min(...connection.current().addresses.map((oscar) => oscar.left())),
      }),
      bookings: () => new Map(bookings),
    },
  };
}

const placeOf = ({ providerId, date, start, end }: EmrEntry) =>
  [providerId, date, start, end].join();
const isAt = (found: Appointment, entry: EmrEntry) => placeOf(entryOf(found)) === placeOf(entry);

/** Cut as OSCAR would cut both together. */
const namesOf = ({ firstName, lastName }: Pick<Patient, 'firstName' | 'lastName'>) => ({
  firstName: firstName.slice(0, NAME_LENGTH),
  lastName: lastName.slice(0, NAME_LENGTH),
});

const doesStand = <Found extends Appointment | 'cancelled'>(
  found: Found | null,
): found is Exclude<Found, 'cancelled'> =>
  found !== null && found !== 'cancelled' && isLive(found.status);

function sumOf(counts: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sum = new Map<string, number>();
  for (const each of counts)
    for (const [what, count] of each) sum.set(what, (sum.get(what) ?? 0) + count);
  return sum;
}

/** Reads the template again: staff may have closed the day. */
async function isOffered(oscar: Oscar, { providerId, date, start, end }: BookRequest) {
  const [day] = dayOf(await oscar.urgent.dayTemplate(providerNo(providerId), date));
  const codes = day?.codes.slice(stepOfTime(start), stepOfTime(end)) ?? '';
  return codes !== '' && !codes.includes('_');
}

/**
 * Replaces characters that OSCAR cannot store by U+FFFD: its database drops everything after a character
 * of four bytes, and XML has no U+FFFE and U+FFFF.
 */
const storable = (text: string) =>
  text.replaceAll(/[\uFFFE\uFFFF\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
