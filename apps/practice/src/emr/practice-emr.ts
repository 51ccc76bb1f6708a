import { stepOfTime } from '@clinic/domain';
import {
  type AddAnswer,
  type BookAnswer,
  type BookRequest,
  type CancelAnswer,
  type Emr,
  EmrOffline,
  type EmrKey,
  EmrOutcomeUnknown,
  EmrRefused,
  type EmrAppointmentId,
  type EmrDay,
  type EmrDocument,
  type EmrEntry,
  type EmrNames,
  type EmrProvider,
  type EmrSlotCode,
  type ProviderDay,
  type RecordId,
  type Tickler,
  type WallSpan,
  notCounted,
} from '@clinic/service/modules/records/emr.ts';

import { type FakeRecord, fakeCharts } from './fake-records.ts';

const BY_STAFF = 'staff:';

/** An entry of its calendar, by a patient or by staff. */
export type InBook = WallSpan &
  Pick<BookRequest, 'key' | 'providerId'> &
  Partial<Pick<EmrEntry, 'state'> & Pick<BookRequest, 'recordId'>>;

export interface FakeEmrContents {
  readonly providers?: readonly EmrProvider[];
  readonly slotCodes?: readonly EmrSlotCode[];
  readonly names?: EmrNames | null;
  /** Null when it keeps no schedule: every time is offered. */
  readonly days?: readonly EmrDay[] | null;
  readonly records?: readonly FakeRecord[];
  readonly booked?: readonly InBook[];
}

/** Faults of the next calls, until they are switched off. */
export interface EmrFaults {
  offline: boolean;
  /** Every call waits for this promise first. */
  slow: Promise<void> | null;
  /** The answer to the next write is lost, after the write happened or without it. */
  loseNextAnswer: 'written' | 'notWritten' | null;
  /** Staff take the wanted time between our check and our write. */
  staffBooksInBetween: boolean;
  /** Keys that it does not take: with the login refused, nothing is answered. */
  refuses: readonly EmrKey[];
  /** Books nothing for a patient of whom it has no record. */
  booksOnlyRecords: boolean;
}

/** A file in a patient's record. */
export interface InRecord extends Omit<EmrDocument, 'read'> {
  readonly bytes: Uint8Array;
}

/** An EMR in memory that can simulate faults. */
export interface FakeEmr extends Emr {
  readonly faults: EmrFaults;
  /** Waits while the EMR is slow; rejects while it is offline. */
  reach(): Promise<void>;
  /** The entries of its calendar, in no order. */
  readonly busy: () => readonly InBook[];
  /** The ticklers that providers were sent, in order. */
  readonly ticklers: () => readonly Tickler[];
  /** The files that were stored in records, in order. */
  readonly documents: () => readonly InRecord[];
  /** What the clinic's staff do in its calendar, in which they may overlap entries. */
  readonly staff: {
    /** With `key`, as when staff copy that key's entry or put it back. */
    book(time: Omit<InBook, 'key'>, key?: string): void;
    /** False when no entry has that key. */
    cancel(key: string): boolean;
    move(key: string, to: Omit<InBook, 'key'>): boolean;
    note(key: string, state: EmrEntry['state']): boolean;
    /** Nothing tells of the entry any more. */
    remove(key: string): boolean;
    /** Takes the key out of its entry. */
    takeKey(key: string): boolean;
  };
}

export function fakeEmr({
  providers = [],
  slotCodes = [],
  names = null,
  days = [],
  records: recordsAtFirst = [],
  booked = [],
}: FakeEmrContents = {}): FakeEmr {
  const faults: EmrFaults = {
    offline: false,
    slow: null,
    loseNextAnswer: null,
    staffBooksInBetween: false,
    refuses: [],
    booksOnlyRecords: recordsAtFirst.length > 0,
  };
  const bookings = new Map<EmrAppointmentId, InBook>();
  const records = [...recordsAtFirst];
  const ticklers: Tickler[] = [];
  const documents: InRecord[] = [];
  /** Records for which an appointment was booked: they exist. */
  const seen = new Set<RecordId>();
  /** The record of each key that ever booked. */
  const patients = new Map<string, RecordId>();
  const answers = new Map<string, BookAnswer | CancelAnswer>();
  /** Each changed entry as it is after the change; before it is removed, for a removal. */
  const changes: (ProviderDay & Pick<InBook, 'key'> & { readonly id: EmrAppointmentId })[] = [];
  let made = 0;
  const newId = () => `fake-${++made}` as EmrAppointmentId;
  function put(id: EmrAppointmentId, entry: InBook): void {
    changes.push({ ...entry, id });
    bookings.set(id, entry);
  }
  function drop(id: EmrAppointmentId): boolean {
    const before = bookings.get(id);
    if (before) changes.push({ ...before, id });
    return bookings.delete(id);
  }
  for (const each of booked) {
    const id = newId();
    put(id, each);
    answers.set(each.key, { kind: 'booked', id });
  }

  async function reach(): Promise<void> {
    await faults.slow;
    if (faults.offline) throw new EmrOffline('The clinic records are offline');
    if (faults.refuses.includes('login')) throw new EmrRefused('The login was refused');
  }

  async function writeOnce<A>(key: string, act: () => A | Promise<A>): Promise<A> {
    await reach();
    const lost = faults.loseNextAnswer;
    faults.loseNextAnswer = null;
    if (lost === 'notWritten') throw new EmrOutcomeUnknown(key);
    const answer = await act();
    if (lost === 'written') throw new EmrOutcomeUnknown(key);
    return answer;
  }

  const write = <A extends BookAnswer | CancelAnswer>(key: string, act: () => A): Promise<A> =>
    writeOnce(key, () => {
      const answer = act();
      if (answer.kind === 'booked' || answer.kind === 'cancelled') answers.set(key, answer);
      return answer;
    });

  /** As if for the first time: a repeat adds it again. */
  async function add(key: string, recordId: RecordId, act: () => unknown): Promise<AddAnswer> {
    await reach();
    if (!seen.has(recordId) && !records.some(({ id }) => id === recordId)) return 'noRecord';
    return writeOnce(key, act).then(() => 'added');
  }

  /** Null when the key booked nothing; 'taken' when staff have cancelled that booking since. */
  const repeated = (key: string): BookAnswer | null => {
    const known = answers.get(key);
    if (known?.kind !== 'booked') return null;
    const stands = bookings.get(known.id)?.key === key;
    return stands ? { kind: 'alreadyBooked', id: known.id } : { kind: 'taken' };
  };

  function place(request: BookRequest): BookAnswer {
    if (faults.booksOnlyRecords && !records.some(({ id }) => id === request.recordId))
      return { kind: 'noRecord' };
    if (days !== null && !isOffered(days, request)) return { kind: 'notOffered' };
    if (faults.staffBooksInBetween) {
      byStaff(request);
      faults.staffBooksInBetween = false;
    }
    for (const other of bookings.values()) if (overlap(other, request)) return { kind: 'taken' };
    const id = newId();
    put(id, request);
    seen.add(request.recordId);
    patients.set(request.key, request.recordId);
    return { kind: 'booked', id };
  }

  function byStaff(time: Omit<InBook, 'key'>, key?: string): void {
    const id = newId();
    put(id, { ...time, key: key ?? `${BY_STAFF}${id}` });
  }
  const idOf = (key: string) => [...bookings].find(([, each]) => each.key === key)?.[0];

  function entryOf(id: EmrAppointmentId): EmrEntry | null {
    const found = bookings.get(id);
    if (!found) return null;
    const { key, providerId, date, start, end, state = 'booked' } = found;
    const own = key.startsWith(BY_STAFF) ? null : key;
    return { id, providerId, date, start, end, state, key: own };
  }

  return {
    faults,
    busy: () => [...bookings.values()],
    ticklers: () => ticklers,
    documents: () => documents,
    reach,
    staff: {
      book: byStaff,
      cancel(key) {
        const id = idOf(key);
        return id !== undefined && drop(id);
      },
      move(key, to) {
        const id = idOf(key);
        if (id !== undefined) put(id, { ...to, key });
        return id !== undefined;
      },
      note(key, state) {
        const id = idOf(key);
        const entry = id && bookings.get(id);
        if (id && entry) put(id, { ...entry, state });
        return entry !== undefined;
      },
      remove(key) {
        const id = idOf(key);
        answers.delete(key);
        return id !== undefined && bookings.delete(id);
      },
      takeKey(key) {
        const id = idOf(key);
        const entry = id && bookings.get(id);
        answers.delete(key);
        if (id && entry) put(id, { ...entry, key: `${BY_STAFF}${id}` });
        return entry !== undefined;
      },
    },
    async book(request, reached) {
      await reached?.('asking');
      await reach();
      await reached?.('writing');
      return write(request.key, () => repeated(request.key) ?? place(request));
    },
    cancel: (key, entry) =>
      write<CancelAnswer>(key, () => {
        if (answers.get(key)?.kind === 'cancelled') return { kind: 'cancelled' };
        const now = entryOf(entry.id);
        if (now === null) return { kind: 'notFound' };
        if (now.state !== 'booked' || placeOf(now) !== placeOf(entry)) return { kind: 'changed' };
        drop(entry.id);
        return { kind: 'cancelled' };
      }),
    async findByKey(key) {
      await reach();
      const id = idOf(key);
      return (id && entryOf(id)) ?? (answers.get(key)?.kind === 'booked' ? 'cancelled' : null);
    },
    async findWithoutKey({ key, providerId, date, start }) {
      await reach();
      const whose = patients.get(key);
      const [found] = [...bookings].filter(
        ([, each]) =>
          each.key.startsWith(BY_STAFF) &&
          whose !== undefined &&
          each.recordId === whose &&
          each.providerId === providerId &&
          each.date === date &&
          each.start === start,
      );
      return found ? entryOf(found[0]) : null;
    },
    async writeKey(key, entry) {
      await reach();
      const found = bookings.get(entry.id);
      const now = entryOf(entry.id);
      if (!found || now === null || now.key !== null || placeOf(now) !== placeOf(entry))
        return false;
      put(entry.id, { ...found, key });
      answers.set(key, { kind: 'booked', id: entry.id });
      return true;
    },
    // Its write checks and takes the time in one step, so there is nothing to resolve.
    resolve(key) {
      return this.findByKey(key);
    },
    addTickler: (key, tickler) => add(key, tickler.recordId, () => ticklers.push(tickler)),
    storeDocument: (key, document) => add(key, document.recordId, () => documents.push(document)),
    async providers() {
      await reach();
      return providers;
    },
    async slotCodes() {
      await reach();
      return slotCodes;
    },
    async names() {
      await reach();
      return names;
    },
    async dayTemplates({ from, to }) {
      await reach();
      const asked = days?.filter(({ date }) => date >= from && date <= to);
      return asked ? { days: asked, through: to } : null;
    },
    async dayNow(date, of) {
      await reach();
      return days && days.filter((day) => day.date === date && of.includes(day.providerId));
    },
    async entries({ from, to }, of) {
      await reach();
      return [...bookings.keys()]
        .flatMap((id) => entryOf(id) ?? [])
        .filter(({ date }) => date >= from && date <= to)
        .filter(({ providerId }) => of === undefined || of.includes(providerId));
    },
    async changedSince(cursor) {
      await reach();
      const found = cursor === null ? [] : changes.slice(Number(cursor));
      return {
        cursor: String(changes.length),
        days: found.map(({ providerId, date }) => ({ providerId, date })),
        entries: found.map(({ id }) => id),
        keys: found.flatMap(({ key }) => (key.startsWith(BY_STAFF) ? [] : key)),
      };
    },
    // It has one chart for each of our records.
    async followChart(key) {
      await reach();
      return idOf(key) === undefined ? 'absent' : 'followed';
    },
    ...fakeCharts(records, { reach, writeOnce }),
    takeUp: async () => false,
    tryKeys: async (keys) =>
      keys.map((key) => {
        const isRefused = faults.refuses.includes(key);
        const state = faults.offline ? 'silent' : isRefused ? 'refused' : 'taken';
        const why = state === 'refused' ? `The ${key} was refused` : null;
        return { key, state, why, endsAt: null, livesSeconds: null };
      }),
    usage: notCounted,
  };
}

const placeOf = ({ providerId, date, start, end }: EmrEntry) =>
  [providerId, date, start, end].join(' ');

const overlap = (one: InBook, other: InBook): boolean =>
  one.providerId === other.providerId &&
  one.date === other.date &&
  one.start < other.end &&
  other.start < one.end;

function isOffered(
  days: readonly EmrDay[],
  request: WallSpan & { readonly providerId: string },
): boolean {
  const day = days.find(
    ({ providerId, date }) => providerId === request.providerId && date === request.date,
  );
  const codes = day?.codes.slice(stepOfTime(request.start), stepOfTime(request.end)) ?? '';
  return codes !== '' && !codes.includes('_');
}
