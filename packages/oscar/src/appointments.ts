import {
  type AppointmentNo,
  type AppointmentStatus,
  type AppointmentType,
  type DemographicNo,
  type ProviderNo,
  appointmentNo,
  isLive,
} from './alphabets.ts';
import { OscarFault, OscarInvalid, OscarOutcomeUnknown, OscarRefused, nullFor } from './errors.ts';
import type { Link } from './link.ts';
import { type Fields, patientNoOf, textOf, writtenNo } from './reading.ts';
import { type WallSpan, dayAfter, isSpan, naive, spanOf } from './wall-clock.ts';
import { assertFits, columns } from './writing.ts';

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

interface Days {
  readonly providers: readonly ProviderNo[];
  /** 'YYYY-MM-DD', both inclusive. */
  readonly from: string;
  readonly to: string;
}

interface Changes {
  readonly appointments: readonly Appointment[];
  /** False when more changed than these: rows that OSCAR cannot read, or too many of one second. */
  readonly isWhole: boolean;
  /** A time of the server's wall clock: pass it to the next changedSince. */
  readonly cursor: string;
}

/** More than changes between two looks. If there are more, the rest comes with the next look. */
const CHANGES = 500;
/** OSCAR gives no longer list. */
const CHANGES_AT_ONCE = 5000;
/** On more days that cannot be read it is no single row. */
const UNREAD_AT_MOST = 7;
const DAY_MS = 86_400_000;
const HISTORY = 100;
/** The clocks of Canada and of a server in UTC are at most so far behind UTC. */
const WEST_MS = 8 * 3_600_000;
/** How long REST is not asked again to change a status once it refused. */
const REFUSED_MS = 600_000;

/** Statuses that every OSCAR has from the start, and the only ones that are written. */
const [TO_DO, CANCELLED] = ['t', 'C'];

const notesWith = (key: string, notes = '') => (notes === '' ? `[${key}]` : `${notes} [${key}]`);
/** The keys that programs wrote into the notes, in their order. Staff write there too, so one may stand anywhere. */
export const keysIn = ({ notes }: Pick<Appointment, 'notes'>): readonly string[] =>
  [...notes.matchAll(/\[([^\s[\]]{1,60})\]/g)].map(([, key = '']) => key);

export type AppointmentCalls = ReturnType<typeof appointmentCalls>;

export function appointmentCalls({ rest, soap, transport: { now }, state }: Link) {
  const rows = (operation: string, ...args: readonly unknown[]) =>
    soap.rows('ScheduleService', operation, ...args);
  const rowOf = async (no: AppointmentNo) => (await rows('getAppointment2', no, false))[0];
  const changedAfter = (second: string, most: number) =>
    rows('getAppointmentsUpdatedAfterDate', second, most, false);

  /** The first second after which OSCAR can read all rows; no server of Canada is ahead of UTC. */
  async function pastUnreadable(cursor: string): Promise<string> {
    let [bad, good] = [Date.parse(`${cursor}Z`), (await soap.check()) + 1000];
    await changedAfter(secondOf(good), CHANGES_AT_ONCE);
    while (good - bad > 1000) {
      const middle = bad + Math.floor((good - bad) / 2000) * 1000;
      const found = await changedAfter(secondOf(middle), CHANGES_AT_ONCE).catch(
        nullFor(OscarFault),
      );
      if (found === null) bad = middle;
      else good = middle;
    }
    return secondsBefore(secondOf(good), -1);
  }

  async function between(no: ProviderNo, from: string, to: string): Promise<Appointment[]> {
    const [start, end] = [from, dayAfter(to)].map((date) => `${date}T00:00:00`);
    const found = await rows('getAppointmentsForDateRangeAndProvider2', start, end, no, false);
    return found.map(appointmentOf).filter(({ status }) => isLive(status));
  }

  /**
   * SOAP writes the whole row: that just read, but for its times, which OSCAR then leaves alone. It archives
   * what a write replaces, without its number, so what staff wrote between the two is seen there. Their texts
   * are written again; a row that they moved or marked is put back as they had it, and answered with false.
   * `change` is made to whatever row is written; null where it cannot be.
   */
  async function overwrite(
    no: AppointmentNo,
    change: (row: Fields) => Fields | null,
  ): Promise<boolean> {
    const read = await rowOf(no);
    if (read === undefined) throw new OscarFault('OSCAR has no appointment with this number');
    const write = (row: Fields) => soap.write('updateAppointment', { id: no, ...sent(row) });
    let changed = change(read);
    if (changed === null) return false;
    const ofPatient = [read, { ...read, ...changed }].map((row) => textOf(row.demographicNo));
    await write({ ...read, ...changed });
    try {
      for (let [wanted, stands] = [read, read]; ;) {
        const after = await rowOf(no);
        const since = secondsBefore(textOf((after ?? read).updateDateTime), 60);
        const theirs = (
          await rows('getAppointmentArchivesUpdatedAfterDate', since, CHANGES, false)
        ).findLast(
          (each) =>
            isAlike(each, read, ['creator', 'createDateTime']) &&
            ofPatient.includes(textOf(each.demographicNo)) &&
            textOf(each.updateDateTime) >= textOf(stands.updateDateTime),
        );
        if (theirs === undefined || isAlike(theirs, stands, [...texts, ...places])) return true;
        const isMoved = !isAlike(theirs, stands, places);
        stands = { ...wanted, ...changed, updateDateTime: theirs.updateDateTime };
        changed = isMoved ? null : change(theirs);
        if (changed === null) {
          await write(theirs);
          return false;
        }
        wanted = theirs;
        await write({ ...wanted, ...changed });
      }
    } catch (error) {
      throw new OscarOutcomeUnknown('The row was written, and what it replaced was not seen', {
        cause: error,
      });
    }
  }

  return {
    /** SOAP: live appointments only, as they occupy time. One call a provider. */
    async appointments({ providers, from, to }: Days): Promise<readonly Appointment[]> {
      return (await Promise.all(providers.map((no) => between(no, from, to)))).flat();
    },

    /**
     * The same, where a row that OSCAR cannot read stops its own day of its provider alone: that is `unread`.
     * A whole range fails with such a row, so it is halved until the day is found.
     */
    async readableAppointments({ providers, from, to }: Days) {
      const unread: { readonly providerNo: ProviderNo; readonly date: string }[] = [];
      const read = async (no: ProviderNo, first: string, last: string): Promise<Appointment[]> => {
        try {
          return await between(no, first, last);
        } catch (error) {
          if (!(error instanceof OscarFault) || unread.length >= UNREAD_AT_MOST) throw error;
          if (first === last) {
            unread.push({ providerNo: no, date: first });
            return [];
          }
          const middle = halfway(first, last);
          return [...(await read(no, first, middle)), ...(await read(no, dayAfter(middle), last))];
        }
      };
      const appointments = (await Promise.all(providers.map((no) => read(no, from, to)))).flat();
      return { appointments, unread };
    },

    /** SOAP. Null when OSCAR has no such number. */
    async appointment(no: AppointmentNo): Promise<Appointment | null> {
      const found = await rowOf(no);
      return found === undefined ? null : appointmentOf(found);
    },

    /** SOAP: newest first, whatever became of them. */
    async appointmentsOfPatient(no: DemographicNo): Promise<readonly Appointment[]> {
      return (await rows('getAppointmentsForPatient2', no, 0, HISTORY, false)).map(appointmentOf);
    },

    /** What a write with this key made, even if staff moved it. OSCAR cannot search notes, only patients. */
    async findByKey(key: string, no: DemographicNo): Promise<Appointment | null> {
      const all = await this.appointmentsOfPatient(no);
      const found = all.filter((each) => keysIn(each).includes(key));
      return firstWritten(found.filter(({ status }) => isLive(status))) ?? found[0] ?? null;
    },

    /**
     * SOAP: the appointments written since the cursor, but for deleted ones. OSCAR compares in seconds and
     * excludes the given one, so the cursor's second is asked for again: an appointment may come twice. The
     * first cursor is the earliest that a clock in Canada shows, since no answer tells the server's zone.
     */
    async changedSince(cursor: string | null): Promise<Changes> {
      if (cursor === null)
        return {
          appointments: [],
          isWhole: true,
          cursor: secondOf((await soap.check()) - WEST_MS),
        };
      for (let most = CHANGES; ; most = Math.min(most * 4, CHANGES_AT_ONCE)) {
        const found = await changedAfter(secondsBefore(cursor, 1), most).catch(nullFor(OscarFault));
        if (found === null)
          return { appointments: [], isWhole: false, cursor: await pastUnreadable(cursor) };
        const last = found.map(({ updateDateTime }) => textOf(updateDateTime).slice(0, 19)).sort();
        const at = last.at(-1) ?? '';
        const appointments = found.flatMap(ifReadable);
        if (at > cursor) return { appointments, isWhole: true, cursor: at };
        if (found.length < most) return { appointments, isWhole: true, cursor };
        // All are of one second: a repeat would bring the same rows and nothing later, so ask for more.
        if (most === CHANGES_AT_ONCE)
          return { appointments, isWhole: false, cursor: secondsBefore(cursor, -1) };
      }
    },

    /** SOAP, which answers the number alone. It does not check whether the time is free: `book` does. */
    async createAppointment(draft: AppointmentDraft): Promise<AppointmentNo> {
      const { key, patient, span, notes: text, location = '', ...same } = draft;
      if (!isSpan(span)) throw new OscarInvalid('The appointment has no real time');
      if (!/^[^\s[\]]{1,60}$/.test(key)) throw new OscarInvalid('The key has spaces or brackets');
      const texts = { notes: notesWith(key, text), name: nameOf(patient), location };
      const { reason, type } = same;
      assertFits({ ...texts, reason, type }, columns.appointment);
      const no = await soap.write('addAppointment', {
        ...same,
        ...texts,
        appointmentStartDateTime: naive(span.date, span.start),
        appointmentEndDateTime: naive(span.date, span.end),
        status: TO_DO,
      });
      return appointmentNo(writtenNo(no));
    },

    /**
     * By REST, which writes only the status, else by SOAP. False when staff moved or marked the appointment at
     * the same moment: it stands as they left it.
     */
    async cancelAppointment(no: AppointmentNo): Promise<boolean> {
      const byRow = () => overwrite(no, () => ({ status: CANCELLED }));
      if (now() < state.refusedUntil) return byRow();
      try {
        await rest.call(`/schedule/appointment/${no}/updateStatus`, { status: CANCELLED });
        return true;
      } catch (error) {
        if (error instanceof OscarOutcomeUnknown) throw error;
        if (error instanceof OscarRefused) state.refusedUntil = now() + REFUSED_MS;
        return byRow();
      }
    },

    /** REST only: no row is left, but in OSCAR's archive. For what was written to try whether it is written. */
    async deleteAppointment(no: AppointmentNo): Promise<void> {
      await rest.call('/schedule/deleteAppointment', { id: Number(no) });
    },

    /**
     * SOAP: puts the key of a write back into the notes, from which staff have taken it. False where it does
     * not fit, the row is not live, or staff moved or marked it at the same moment.
     */
    writeKey: (no: AppointmentNo, key: string, about = ''): Promise<boolean> =>
      overwrite(no, (row) => {
        const there = textOf(row.notes);
        const notes = notesWith(key, [there, about].filter(Boolean).join(' '));
        return isLive(statusOf(row.status)) && notes.length <= columns.appointment.notes
          ? { notes: keysIn({ notes: there }).includes(key) ? there : notes }
          : null;
      }),

    /**
     * SOAP: gives an appointment to another patient, and leaves all else. False when staff moved or marked it at
     * the same moment: it stands as they left it.
     */
    setPatient: (
      no: AppointmentNo,
      demographicNo: DemographicNo,
      patient: AppointmentDraft['patient'],
    ): Promise<boolean> => overwrite(no, () => ({ demographicNo, name: nameOf(patient) })),
  };
}

/** What an update writes; what it leaves out is emptied, but for number, times and creator. */
const texts =
  'demographicNo programId name notes reason location resources type style billing remarks urgency bookingSource'.split(
    ' ',
  );
const places = ['providerNo', 'status', 'appointmentStartDateTime', 'appointmentEndDateTime'];
const sent = (row: Fields): Fields =>
  Object.fromEntries([...texts, 'providerNo', 'status'].map((key) => [key, row[key]]));
const isAlike = (one: Fields, other: Fields, keys: readonly string[]) =>
  keys.every((key) => textOf(one[key]) === textOf(other[key]));

/** Staff who copy an appointment in OSCAR copy its notes with our key: the oldest one is ours. */
export const firstWritten = (copies: readonly Appointment[]): Appointment | undefined =>
  copies.toSorted((one, other) => Number(one.no) - Number(other.no))[0];

const nameOf = ({ firstName, lastName }: AppointmentDraft['patient']) => `${lastName},${firstName}`;

/** The second letter may be another than S or V, and imported rows may have no status. */
const statusOf = (value: unknown) =>
  (/^[A-Za-z][SV]?/.exec(textOf(value))?.[0] ?? TO_DO) as AppointmentStatus;

export type Appointment = Readonly<ReturnType<typeof appointmentOf>>;
function appointmentOf(row: Fields) {
  const no = textOf(row.id);
  if (no === '') throw new OscarFault('OSCAR answered with an appointment without a number');
  return {
    no: appointmentNo(no),
    providerNo: textOf(row.providerNo) as ProviderNo,
    /** Null for time that staff block without a patient. */
    demographicNo: patientNoOf(row.demographicNo),
    span: spanOf(row.appointmentStartDateTime, row.appointmentEndDateTime),
    status: statusOf(row.status),
    notes: textOf(row.notes),
    /** The name of its site where the clinic has several: a row without one is then on no day sheet. */
    location: textOf(row.location),
  };
}

/** A row that cannot be understood is found by its day, which is read by and by. */
function ifReadable(row: Fields): readonly Appointment[] {
  try {
    return [appointmentOf(row)];
  } catch (error) {
    return nullFor(OscarFault)(error) ?? [];
  }
}

const halfway = (from: string, to: string) => {
  const [first, last] = [from, to].map((date) => Date.parse(`${date}T00:00:00Z`) / DAY_MS);
  return new Date(Math.floor(((first ?? 0) + (last ?? 0)) / 2) * DAY_MS).toISOString().slice(0, 10);
};

const secondOf = (ms: number) => new Date(ms).toISOString().slice(0, 19);
const secondsBefore = (wallTime: string, seconds: number) =>
  secondOf(Date.parse(`${wallTime.slice(0, 19)}Z`) - seconds * 1000);
