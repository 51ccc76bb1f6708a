import {
  type Oscar,
  appointmentNo,
  appointmentType,
  isLive,
  providerNo,
  statuses,
} from '@clinic/oscar';
import { stepOfTime } from '@clinic/domain';

import {
  type BookAnswer,
  type BookRequest,
  type Emr,
  EmrRefused,
  type RecordId,
} from '../../modules/records/emr.ts';
import { askOscar } from './asking.ts';
import { PER_MINUTE } from './connection.ts';
import { type OpenedRecords, WAITS_MS, oneAtATime, patientsOf } from './patients.ts';
import { dayOf, entryId, entryOf, scheduleOf, standing } from './schedule.ts';

export type { OpenedRecords } from './patients.ts';

export interface OscarEmrOptions {
  /** The address of the clinic's OSCAR, and perhaps a second one. */
  readonly addresses: readonly Oscar[];
  readonly opened: OpenedRecords;
  /** The patient record of the appointment that one of our keys names; null for an unknown key. */
  readonly whose: (key: string) => Promise<RecordId | null>;
  /** The name that OSCAR's day sheet shows for one of our types. */
  readonly nameOfType: (type: string) => Promise<string>;
  readonly programId: number;
  readonly now: () => number;
}

const TYPE_LENGTH = 50;
const NAME_LENGTH = 24;

/** OSCAR behind the port of docs/emr.md. */
export function oscarEmr(options: OscarEmrOptions): Emr {
  const { addresses, opened, whose, nameOfType, programId, now } = options;
  const ask = askOscar(addresses);
  const { numberOf, ...patients } = patientsOf({ ask, opened, now, programId });

  const bookings = new Map<BookAnswer['kind'], number>();
  const counted = (answer: BookAnswer) => {
    bookings.set(answer.kind, (bookings.get(answer.kind) ?? 0) + 1);
    return answer;
  };

  const named = async (key: string) => {
    const recordId = await whose(key);
    return recordId && numberOf(recordId);
  };

  async function book(oscar: Oscar, request: BookRequest): Promise<BookAnswer> {
    const no = await numberOf(request.recordId);
    const patient = no && (await oscar.urgent.patient(no));
    if (!patient) throw new EmrRefused('OSCAR has no record of this patient');
    if (!(await isOffered(oscar, request))) return { kind: 'notOffered' };
    const { date, start, end } = request;
    const answer = await oscar.book({
      key: request.key,
      providerNo: providerNo(request.providerId),
      demographicNo: patient.no,
      patient: {
        firstName: patient.firstName.slice(0, NAME_LENGTH),
        lastName: patient.lastName.slice(0, NAME_LENGTH),
      },
      span: { date, start, end },
      type: appointmentType(storable(await nameOfType(request.type)).slice(0, TYPE_LENGTH)),
      reason: storable(request.reason),
    });
    if (answer.kind === 'booked') return { kind: 'booked', id: entryId(answer.no) };
    if (answer.kind === 'alreadyBooked')
      return { kind: 'alreadyBooked', id: entryId(answer.appointment.no) };
    return { kind: 'taken' };
  }

  return {
    ...scheduleOf(ask, now),
    ...patients,

    // Two bookings of ours at once would find each other in the day, and both would be taken back.
    book: oneAtATime(
      ({ providerId, date }) => `${providerId} ${date}`,
      WAITS_MS,
      async (request) => counted(await ask((oscar) => book(oscar, request), request.key)),
    ),

    cancel: (key, entry) =>
      ask(async ({ urgent }) => {
        const no = appointmentNo(entry.id);
        const found = await urgent.appointment(no);
        if (found === null) return { kind: 'notFound' };
        if (!isLive(found.status)) return { kind: 'cancelled' };
        const { state, providerId, date, start, end } = entryOf(found);
        const isThere =
          providerId === entry.providerId &&
          date === entry.date &&
          start === entry.start &&
          end === entry.end;
        if (state !== 'booked' || !isThere) return { kind: 'changed' };
        await urgent.setStatus(no, statuses.cancelled);
        return { kind: 'cancelled' };
      }, key),

    findByKey: (key) =>
      ask(async ({ urgent }) => {
        const no = await named(key);
        return no ? standing(await urgent.findByKey(key, no)) : null;
      }),

    settle: (key) =>
      ask(async (oscar) => {
        const no = await named(key);
        return no ? standing(await oscar.settle(key, no)) : null;
      }, key),

    addTickler: (key, { providerId, recordId, text, date }) =>
      ask(async ({ urgent }) => {
        const no = await numberOf(recordId);
        if (!no) return 'noRecord';
        const assignedTo = providerNo(providerId);
        await urgent.addTickler({
          key: key.replaceAll(/\s/g, '-'),
          demographicNo: no,
          assignedTo,
          text: storable(text),
          priority: 'Normal',
          due: date,
        });
        return 'added';
      }, key),

    storeDocument: (key, { recordId, name, mediaType, description, bytes }) =>
      ask(async (oscar) => {
        const no = await numberOf(recordId);
        if (!no) return 'noRecord';
        await oscar.storeDocument({
          demographicNo: no,
          fileName: name,
          contentType: mediaType,
          description: storable(description),
          source: 'Sent online',
          pages: 1,
          bytes,
        });
        return 'added';
      }, key),

    usage: {
      requests: () => sumOf(addresses.map((oscar) => oscar.counts())),
      budget: () => ({
        perMinute: PER_MINUTE,
        left: Math.min(...addresses.map((oscar) => oscar.left())),
      }),
      bookings: () => new Map(bookings),
    },
  };
}

function sumOf(counts: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sum = new Map<string, number>();
  for (const each of counts)
    for (const [what, count] of each) sum.set(what, (sum.get(what) ?? 0) + count);
  return sum;
}

/** Reads the template again when OSCAR keeps the templates: staff may have closed the day. */
async function isOffered(oscar: Oscar, { providerId, date, start, end }: BookRequest) {
  if (oscar.capabilities.templates === 'ours') return true;
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
