import {
  type AppointmentNo,
  type AppointmentStatus,
  type AppointmentType,
  type DemographicNo,
  type ProviderNo,
  appointmentNo,
  appointmentStatus,
  isLive,
  statuses,
} from './alphabets.ts';
import { OscarFault, OscarInvalid, OscarOutcomeUnknown } from './errors.ts';
import type { Link } from './link.ts';
import { type Fields, fieldsOf, manyOf, textOf } from './reading.ts';
import { type WallSpan, dateOf, dayAfter, isSpan, minutesOf, naive, spanOf } from './wall-clock.ts';
import { assertFits, assertKnownKeys, columns } from './writing.ts';

export interface Appointment {
  readonly no: AppointmentNo;
  readonly providerNo: ProviderNo;
  /** Null for time that staff block without a patient. */
  readonly demographicNo: DemographicNo | null;
  readonly span: WallSpan;
  readonly status: AppointmentStatus;
  readonly type: string;
  readonly reason: string;
  readonly notes: string;
}

export interface AppointmentDraft {
  /** Identifies this write: it is stored in the notes as [key], and findByKey looks for it there. */
  readonly key: string;
  readonly providerNo: ProviderNo;
  readonly demographicNo: DemographicNo;
  /** Sent along because SOAP does not fill in the name that OSCAR's pages show. */
  readonly patient: { readonly firstName: string; readonly lastName: string };
  readonly span: WallSpan;
  readonly type: AppointmentType;
  readonly reason: string;
  readonly notes?: string;
  readonly location?: string;
}

export interface Days {
  readonly providers: readonly ProviderNo[];
  /** 'YYYY-MM-DD', both inclusive. */
  readonly from: string;
  readonly to: string;
  /** 'HH:mm'. REST: reads earlier appointments anew, as staff may have extended them. */
  readonly anewBefore?: string;
}

export interface Changes {
  readonly appointments: readonly Appointment[];
  /** A time of the server's wall clock: pass it to the next changedSince. */
  readonly cursor: string;
}

const draftKeys = 'key providerNo demographicNo patient span type reason notes location'.split(' ');
/** More than changes between two looks. If there are more, the rest comes with the next look. */
const CHANGES = 500;
/** An import can write this many rows in one second; a lower limit would never get past them. */
const CHANGES_AT_ONCE = 32_000;
const HISTORY = 100;
/** How long an end is cached. A move or a change of status has the end read anew at once. */
const END_SECONDS = 86_400;

export const notesWith = (key: string, notes = '') =>
  notes === '' ? `[${key}]` : `${notes} [${key}]`;
/** The keys that programs wrote into the notes, in their order. */
export const keysIn = ({ notes }: Pick<Appointment, 'notes'>): readonly string[] =>
  [...notes.matchAll(/\[([^\s[\]]{1,60})\]/g)].map(([, key = '']) => key);
/** Whether the notes carry the key. Staff write into the notes too, so it may stand anywhere in them. */
export const carries = ({ notes }: Appointment, key: string) => notes.includes(`[${key}]`);

export function appointmentCalls({ rest, soap, kept }: Link) {
  const schedule = (operation: string, args: readonly unknown[], writes = false) =>
    soap?.call({ service: 'ScheduleService', operation, args, writes });

  /** REST: a day's list has no ends, so each appointment is read by itself and cached. */
  async function read(no: AppointmentNo): Promise<Appointment | null> {
    const answer = await rest.call({
      call: 'getAppointment',
      path: '/schedule/getAppointment',
      body: { id: Number(no) },
    });
    const { appointment } = answer === null ? {} : fieldsOf(answer);
    return appointment === undefined || appointment === null
      ? null
      : fromRest(fieldsOf(appointment));
  }

  async function listed({
    providers,
    from,
    to,
    anewBefore = '',
  }: Days): Promise<readonly Appointment[]> {
    if (providers.some((no) => !/^\d+$/.test(no)))
      throw new OscarInvalid('fetchDays takes provider numbers of digits only');
    const answer = await rest.call({
      call: 'fetchDays',
      path: `/schedule/fetchDays/${from}/${to}/${providers.join(',')}`,
    });
    const rows = manyOf(fieldsOf(answer).content).filter((row) => isLive(statusOf(row.status)));
    const whole = rows.map(async (row) => {
      const no = textOf(row.appointmentNo);
      const stands = [row.providerNo, row.appointmentDate, row.startTime, row.status].map(textOf);
      const key = ['appointment', no, ...stands].join(' ');
      if (textOf(row.startTime) < anewBefore) return read(appointmentNo(no));
      return kept(key, END_SECONDS, async () => read(appointmentNo(no)));
    });
    return (await Promise.all(whole)).filter(
      (each) => each !== null && isLive(each.status),
    ) as Appointment[];
  }

  return {
    /**
     * Live appointments only: they occupy time. SOAP: one call a provider, with ends. REST, without SOAP: its
     * list has no ends, so each new or moved appointment takes another call.
     */
    async appointments(days: Days): Promise<readonly Appointment[]> {
      if (days.providers.length === 0) return [];
      if (soap === null) return listed(days);
      const { providers, from, to } = days;
      const end = `${dayAfter(to)}T00:00:00`;
      const lists = await Promise.all(
        providers.map(async (no) => {
          const args = [`${from}T00:00:00`, end, no, false];
          return schedule('getAppointmentsForDateRangeAndProvider2', args);
        }),
      );
      return lists
        .flatMap((list) => (list ?? []).map((each) => fromSoap(fieldsOf(each))))
        .filter(({ status }) => isLive(status));
    },

    /** By SOAP, else REST: both give the end. Null when OSCAR has no such number. */
    async appointment(no: AppointmentNo): Promise<Appointment | null> {
      if (soap === null) return read(no);
      const [found] = (await schedule('getAppointment2', [no, false])) ?? [];
      return found === undefined ? null : fromSoap(fieldsOf(found));
    },

    /** SOAP: newest first, whatever became of them. REST leaves deleted ones out. */
    async appointmentsOfPatient(no: DemographicNo): Promise<readonly Appointment[]> {
      if (soap !== null)
        return ((await schedule('getAppointmentsForPatient2', [no, 0, HISTORY, false])) ?? []).map(
          (each) => fromSoap(fieldsOf(each)),
        );
      const answer = await rest.call({
        call: 'appointmentHistory',
        path: `/schedule/${no}/appointmentHistory`,
        body: {},
      });
      return manyOf(fieldsOf(answer).appointments).map(fromRest);
    },

    /** What a write with this key made, even if staff moved it. OSCAR cannot search notes, only patients. */
    async findByKey(key: string, no: DemographicNo): Promise<Appointment | null> {
      const all = await this.appointmentsOfPatient(no);
      const found = all.filter((each) => carries(each, key));
      return firstWritten(found.filter(({ status }) => isLive(status))) ?? found[0] ?? null;
    },

    /**
     * SOAP only: the appointments written since the cursor, with ends, but without deleted ones; null without
     * SOAP. OSCAR compares in seconds and excludes the given one, so the cursor's second is asked for again:
     * an appointment may come twice.
     */
    async changedSince(cursor: string | null): Promise<Changes | null> {
      if (soap === null) return null;
      if (cursor === null) {
        const [now] = await soap.open({ service: 'SystemInfoService', operation: 'getServerTime' });
        return { appointments: [], cursor: textOf(now).slice(0, 19) };
      }
      for (let most = CHANGES; ; most *= 4) {
        const args = [secondBefore(cursor), most, false];
        const found = ((await schedule('getAppointmentsUpdatedAfterDate', args)) ?? []).map(
          fieldsOf,
        );
        const last = found
          .map(({ updateDateTime }) => textOf(updateDateTime).slice(0, 19))
          .sort()
          .at(-1);
        const isLater = last !== undefined && last > cursor;
        // All are of one second: a repeat would bring the same rows and nothing later, so ask for more.
        if (found.length >= most && !isLater && most < CHANGES_AT_ONCE) continue;
        return { appointments: found.map(fromSoap), cursor: isLater ? last : cursor };
      }
    },

    /**
     * By SOAP, which takes the end and answers only the number; without SOAP by REST, which takes a duration.
     * Neither checks whether the time is free: `book` does.
     */
    async createAppointment(draft: AppointmentDraft): Promise<AppointmentNo> {
      assertDraft(draft);
      const { providerNo, demographicNo, span, type, reason, location = '' } = draft;
      const shared = { type, reason, location, notes: notesWith(draft.key, draft.notes) };
      if (soap !== null) {
        const transfer = {
          ...shared,
          providerNo,
          demographicNo,
          appointmentStartDateTime: naive(span.date, span.start),
          appointmentEndDateTime: naive(span.date, span.end),
          name: nameOf(draft),
          status: statuses.toDo,
        };
        const [no] = (await schedule('addAppointment', [transfer], true)) ?? [];
        return written(no);
      }
      // The answer's times are instants in the server's zone, so only the number is read from it.
      const answer = await rest.call({
        call: 'schedule/add',
        path: '/schedule/add',
        writes: true,
        body: {
          ...shared,
          providerNo,
          demographicNo: Number(demographicNo),
          appointmentDate: span.date,
          startTime: span.start,
          duration: minutesOf(span.end) - minutesOf(span.start),
          status: statuses.toDo,
        },
      });
      const { appointment } = (answer ?? {}) as { appointment?: { id?: unknown } };
      return written(appointment?.id);
    },

    /** By REST, which writes only the status. SOAP would blank all fields of the row that are not sent. */
    async setStatus(no: AppointmentNo, status: AppointmentStatus): Promise<void> {
      await rest.call({
        call: 'updateStatus',
        path: `/schedule/appointment/${no}/updateStatus`,
        writes: true,
        body: { status },
      });
    },
  };
}

/** Staff who copy an appointment in OSCAR copy its notes with our key: the oldest one is ours. */
export const firstWritten = (copies: readonly Appointment[]): Appointment | undefined =>
  copies.toSorted((one, other) => Number(one.no) - Number(other.no))[0];

function assertDraft(draft: AppointmentDraft) {
  assertKnownKeys(draft, draftKeys);
  assertKnownKeys(draft.patient, ['firstName', 'lastName']);
  if (!isSpan(draft.span)) throw new OscarInvalid('The appointment has no real time');
  if (!/^[^\s[\]]{1,60}$/.test(draft.key)) throw new OscarInvalid('The key has spaces or brackets');
  const { reason, type, location = '' } = draft;
  const notes = notesWith(draft.key, draft.notes);
  assertFits({ reason, type, location, notes, name: nameOf(draft) }, columns.appointment);
}

const nameOf = ({ patient }: AppointmentDraft) => `${patient.lastName},${patient.firstName}`;

function written(value: unknown): AppointmentNo {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw new OscarOutcomeUnknown('The appointment was answered without its number');
  return appointmentNo(text);
}

/** The second letter may be another than S or V, and imported rows may have no status. */
function statusOf(value: unknown): AppointmentStatus {
  const letters = /^[A-Za-z][SV]?/.exec(textOf(value))?.[0];
  return letters === undefined ? statuses.toDo : appointmentStatus(letters);
}

function fromSoap(row: Fields): Appointment {
  const { appointmentStartDateTime: start, appointmentEndDateTime: end } = row;
  return { ...sharedOf(row), span: spanOf(start, start, end) };
}

function fromRest(row: Fields): Appointment {
  return {
    ...sharedOf(row),
    span: spanOf(dateOf(row.appointmentDate), row.startTime, row.endTime),
  };
}

function sharedOf(row: Fields) {
  const patient = textOf(row.demographicNo);
  const no = textOf(row.id);
  if (no === '') throw new OscarFault('OSCAR answered with an appointment without a number');
  return {
    no: appointmentNo(no),
    providerNo: textOf(row.providerNo) as ProviderNo,
    demographicNo: patient === '' || patient === '0' ? null : (patient as DemographicNo),
    status: statusOf(row.status),
    type: textOf(row.type),
    reason: textOf(row.reason),
    notes: textOf(row.notes),
  };
}

function secondBefore(wallTime: string): string {
  return new Date(Date.parse(`${wallTime}Z`) - 1000).toISOString().slice(0, 19);
}
