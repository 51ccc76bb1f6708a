import { stepOfTime } from '@clinic/domain';
import {
  type BookAnswer,
  type BookRequest,
  type CancelAnswer,
  type PatientRecord,
  type RecordQuery,
  type Emr,
  EmrOffline,
  EmrOutcomeUnknown,
  type EmrAppointmentId,
  type ProviderId,
  type WallSpan,
} from '@clinic/service/modules/records/emr.ts';

export interface FakeRecord extends PatientRecord {
  readonly cardProvince: string;
  readonly cardNumber: string;
  readonly providerId: string | null;
}

/** `codes` has one character per 5-minute step, 288 a day; `_` is not working. */
export interface ProviderDay {
  readonly providerId: ProviderId;
  readonly date: string;
  readonly codes: string;
}

/** What stands in its book, whoever put it there. */
export type InBook = WallSpan & Pick<BookRequest, 'key' | 'providerId'>;

export interface FakeEmrContents {
  /** Null where every time is offered. */
  readonly days?: readonly ProviderDay[] | null;
  readonly records?: readonly FakeRecord[];
  readonly booked?: readonly InBook[];
}

/** What goes wrong with the next calls, until it is switched off. */
export interface EmrFaults {
  offline: boolean;
  /** Every call waits for this first. */
  slow: Promise<void> | null;
  /** The next write happens, or not, and its answer is lost. */
  loseNextAnswer: 'written' | 'notWritten' | null;
  /** Staff take the wanted time between our question and our write. */
  staffBooksInBetween: boolean;
}

/** An EMR in memory, with its faults. */
export interface FakeEmr extends Emr {
  readonly faults: EmrFaults;
  /** Waits while it is slow, and fails while it is offline. */
  reach(): Promise<void>;
  /** What stands in its book, in no order. */
  readonly busy: () => readonly InBook[];
  /** What the clinic's staff do in it, who may put one over another. */
  readonly staff: {
    book(time: Omit<InBook, 'key'>): void;
    /** False when it has none of that key. */
    cancel(key: string): boolean;
    move(key: string, to: Omit<InBook, 'key'>): boolean;
  };
}

export function fakeEmr({
  days = [],
  records: recordsAtFirst = [],
  booked = [],
}: FakeEmrContents = {}): FakeEmr {
  const faults: EmrFaults = {
    offline: false,
    slow: null,
    loseNextAnswer: null,
    staffBooksInBetween: false,
  };
  const bookings = new Map<EmrAppointmentId, InBook>();
  const records = [...recordsAtFirst];
  const answers = new Map<string, BookAnswer | CancelAnswer>();
  let made = 0;
  const newId = () => `fake-${++made}` as EmrAppointmentId;
  for (const each of booked) {
    const id = newId();
    bookings.set(id, each);
    answers.set(each.key, { kind: 'booked', id });
  }

  async function reach(): Promise<void> {
    await faults.slow;
    if (faults.offline) throw new EmrOffline('The clinic records are offline');
  }

  async function writeOnce<A>(key: string, act: () => A): Promise<A> {
    await reach();
    const lost = faults.loseNextAnswer;
    faults.loseNextAnswer = null;
    if (lost === 'notWritten') throw new EmrOutcomeUnknown(key);
    const answer = act();
    if (lost === 'written') throw new EmrOutcomeUnknown(key);
    return answer;
  }

  const write = <A extends BookAnswer | CancelAnswer>(key: string, act: () => A): Promise<A> =>
    writeOnce(key, () => {
      const answer = act();
      if (answer.kind === 'booked' || answer.kind === 'cancelled') answers.set(key, answer);
      return answer;
    });

  const repeated = (key: string): BookAnswer | null => {
    const known = answers.get(key);
    return known?.kind === 'booked' ? { kind: 'alreadyBooked', id: known.id } : null;
  };

  function place(request: BookRequest): BookAnswer {
    if (days !== null && !isOffered(days, request)) return { kind: 'notOffered' };
    if (faults.staffBooksInBetween) {
      byStaff(request);
      faults.staffBooksInBetween = false;
    }
    for (const other of bookings.values()) if (overlap(other, request)) return { kind: 'taken' };
    const id = newId();
    bookings.set(id, request);
    return { kind: 'booked', id };
  }

  function byStaff(time: Omit<InBook, 'key'>): void {
    const id = newId();
    bookings.set(id, { ...time, key: `staff:${id}` });
  }
  const idOf = (key: string) => [...bookings].find(([, each]) => each.key === key)?.[0];

  return {
    faults,
    busy: () => [...bookings.values()],
    reach,
    staff: {
      book: byStaff,
      cancel(key) {
        const id = idOf(key);
        return id !== undefined && bookings.delete(id);
      },
      move(key, to) {
        const id = idOf(key);
        if (id !== undefined) bookings.set(id, { ...to, key });
        return id !== undefined;
      },
    },
    book: (request) => write(request.key, () => repeated(request.key) ?? place(request)),
    move: (key, id, to) =>
      write(key, () => {
        const known = repeated(key);
        if (known) return known;
        const old = bookings.get(id);
        if (!old) return { kind: 'notOffered' };
        bookings.delete(id);
        const answer = place({ ...to, key });
        if (answer.kind !== 'booked') bookings.set(id, old);
        return answer;
      }),
    cancel: (key, id) =>
      write<CancelAnswer>(key, () => {
        if (answers.get(key)?.kind === 'cancelled') return { kind: 'cancelled' };
        return { kind: bookings.delete(id) ? 'cancelled' : 'notFound' };
      }),
    async findByKey(key) {
      await reach();
      return repeated(key) ?? answers.get(key) ?? null;
    },
    async findPatient(by) {
      await reach();
      const [record, second] = records.filter((each) => fits(each, by));
      if (!record) return { kind: 'none' };
      return second ? { kind: 'many' } : { kind: 'one', record };
    },
    createPatient: (record) =>
      writeOnce(`record:${record.id}`, () => {
        if (records.some(({ id }) => id === record.id)) return 'alreadyThere';
        records.push(record);
        return 'created';
      }),
    async responsibleProvider(id) {
      await reach();
      return records.find((record) => record.id === id)?.providerId ?? null;
    },
    status: async () => (faults.offline ? 'offline' : 'online'),
  };
}

const fits = (record: FakeRecord, by: RecordQuery): boolean =>
  'id' in by
    ? record.id === by.id
    : record.cardProvince === by.cardProvince &&
      record.cardNumber === by.cardNumber &&
      record.birthDate === by.birthDate;

const overlap = (one: InBook, other: InBook): boolean =>
  one.providerId === other.providerId &&
  one.date === other.date &&
  one.start < other.end &&
  other.start < one.end;

function isOffered(
  days: readonly ProviderDay[],
  request: WallSpan & { readonly providerId: string },
): boolean {
  const day = days.find(
    ({ providerId, date }) => providerId === request.providerId && date === request.date,
  );
  const codes = day?.codes.slice(stepOfTime(request.start), stepOfTime(request.end)) ?? '';
  return codes !== '' && !codes.includes('_');
}
