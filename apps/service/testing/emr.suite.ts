import { expect, test } from 'vitest';
import { stepOfTime, dayTemplate } from '@clinic/domain';
import type {
  BookRequest,
  RecordId,
  Emr,
  EmrDay,
  ProviderId,
  Tickler,
} from '../src/modules/records/emr.ts';
import type { FakeEmrContents, InBook, InRecord } from '@clinic/practice/emr/practice-emr.ts';

export interface EmrUnderTest {
  readonly emr: Emr;
  readonly busy: () => readonly InBook[];
  readonly ticklers: () => readonly Tickler[];
  readonly documents: () => readonly Pick<InRecord, 'recordId' | 'name' | 'bytes'>[];
}

/** What an implementation says of itself, where it is not as the others are. */
export interface StatedCapabilities {
  /** False where our templates are the schedule: then it is ours to say what is offered. */
  readonly keepsSchedule?: boolean;
  /** The number in the EMR of the record that is called so in `suiteContents`. */
  readonly numberOf?: (name: string) => string;
}

const stone = '101' as ProviderId;
const baker = '109' as ProviderId;
const DATE = '2026-12-15';
const O_FROM_8_TO_9 = dayTemplate([
  { from: stepOfTime('08:00'), to: stepOfTime('09:00'), code: 'O' },
]);
const day = (providerId: ProviderId, date: string): EmrDay => ({
  providerId,
  date,
  codes: O_FROM_8_TO_9,
});

/** What every implementation is opened with. */
export const suiteContents: Required<Omit<FakeEmrContents, 'booked'>> = {
  providers: [
    { id: stone, firstName: 'Amelia', lastName: 'Stone', status: '1' },
    { id: baker, firstName: 'Tom', lastName: 'Baker', status: '0' },
  ],
  slotCodes: [{ code: 'O', description: 'In-person visit', minutes: null }],
  days: [day(stone, DATE), day(stone, '2026-12-16'), day(baker, DATE)],
  records: [
    record('c1', '9876543218', stone),
    record('c2', '9000000001', baker),
    record('c3', '9000000002', null),
    record('c4', '9111111111', null),
    record('c5', '9111111111', null),
  ],
};

function record(id: string, cardNumber: string, providerId: string | null) {
  return {
    id: id as RecordId,
    firstName: 'Casey',
    lastName: 'Morgan',
    birthDate: '1984-05-17',
    providerId,
    cardProvince: 'BC',
    cardNumber,
  };
}

/** The promises of the EMR port (docs/emr.md). */
export function emrSuite(
  open: () => EmrUnderTest | Promise<EmrUnderTest>,
  { keepsSchedule = true, numberOf = (name) => name }: StatedCapabilities = {},
): void {
  const recordOf = (name: string) => numberOf(name) as RecordId;
  const request = (over: Partial<BookRequest> = {}): BookRequest => ({
    key: 'k1',
    providerId: stone,
    recordId: recordOf('c1'),
    date: DATE,
    start: '08:00',
    end: '08:05',
    type: 'O',
    reason: 'Cough',
    ...over,
  });
  type Promised = (
    emr: Emr,
    busy: EmrUnderTest['busy'],
    added: Pick<EmrUnderTest, 'ticklers' | 'documents'>,
  ) => Promise<void>;
  const promises: [string, Promised][] = [];
  const promise = (...each: (typeof promises)[number]) => promises.push(each);

  promise(
    'finds a record by number, or by card and birth date: one, none or several',
    async (emr) => {
      const find = (cardNumber: string, birthDate = '1984-05-17') =>
        emr.findPatient({ cardProvince: 'BC', cardNumber, birthDate });
      expect(await find('9876543218')).toMatchObject({
        kind: 'one',
        record: { id: recordOf('c1') },
      });
      expect(await find('9876543218', '1984-05-18')).toEqual({ kind: 'none' });
      expect(await find('9999999999')).toEqual({ kind: 'none' });
      expect(await find('9111111111')).toEqual({ kind: 'many' });
      expect(await emr.findPatient({ id: recordOf('c4') })).toMatchObject({ kind: 'one' });
      expect(await emr.findPatient({ id: 'nobody' as RecordId })).toEqual({ kind: 'none' });
    },
  );

  const like = (name: string) => expect.stringMatching(new RegExp(`^${name}$`, 'i')) as string;

  promise('opens a record once, which is found from then on', async (emr) => {
    const opened = {
      id: 'n1' as RecordId,
      firstName: 'Tess',
      lastName: 'Wong',
      birthDate: '1990-02-03',
      cardProvince: 'BC',
      cardNumber: '9000000003',
      providerId: '1998',
    };
    const { cardProvince, cardNumber, birthDate, firstName, lastName, id } = opened;
    expect(await emr.createPatient(opened)).toBe('created');
    // Some write names in capitals.
    const named = { firstName: like(firstName), lastName: like(lastName) };
    const found = { kind: 'one', record: { id, ...named, birthDate } };
    expect(await emr.createPatient({ ...opened, providerId: '1999' })).toBe('alreadyThere');
    expect(await emr.findPatient({ id })).toMatchObject(found);
    expect(await emr.findPatient({ cardProvince, cardNumber, birthDate })).toMatchObject(found);
    expect(await emr.responsibleProvider(id)).toBe('1998');
  });

  promise('opens one record for two who ask at once, and one without a card', async (emr) => {
    const opened = {
      id: 'n2' as RecordId,
      firstName: 'Noel',
      lastName: 'Fraser',
      birthDate: '1990-02-03',
      cardProvince: 'Other',
      cardNumber: '',
      providerId: '1999',
    };
    const answers = await Promise.all([emr.createPatient(opened), emr.createPatient(opened)]);
    expect(answers.sort()).toEqual(['alreadyThere', 'created']);
  });

  promise('knows who is responsible for a patient', async (emr) => {
    const responsible = (id: string) => emr.responsibleProvider(recordOf(id));
    expect(await responsible('c1')).toBe('101');
    expect(await responsible('c3')).toBeNull();
    expect(await responsible('nobody')).toBeNull();
  });

  promise(
    'lists its providers with their status, its codes and the days that have work',
    async (emr) => {
      expect(await emr.providers()).toMatchObject([{ id: '101', status: '1' }, { status: '0' }]);
      expect(await emr.slotCodes()).toMatchObject([{ code: 'O', minutes: null }]);
      const said = await emr.dayTemplates({ from: DATE, to: DATE });
      if (keepsSchedule) expect(said).toMatchObject({ through: DATE });
      const atWork = said?.days.find(
        ({ providerId, date }) => providerId === stone && date === DATE,
      );
      expect(atWork?.codes).toBe(keepsSchedule ? O_FROM_8_TO_9 : undefined);
    },
  );

  promise('lists what stands on a day, by the key of whoever wrote it', async (emr) => {
    const id = await booked(emr, { start: '08:10', end: '08:20' });
    const entry = { id, key: 'k1', providerId: '101', date: DATE, start: '08:10', end: '08:20' };
    expect(await emr.entries({ from: DATE, to: DATE })).toMatchObject([entry]);
    expect(await emr.entries({ from: DATE, to: DATE }, [stone])).toMatchObject([entry]);
    expect(await emr.entries({ from: DATE, to: DATE }, [baker])).toEqual([]);
    expect(await emr.entries({ from: '2026-12-16', to: '2026-12-31' })).toEqual([]);
    await emr.cancel('x1', await standing(emr));
    expect(await emr.entries({ from: DATE, to: DATE })).toEqual([]);
  });

  promise('tells on whose days anything changed, each change once', async (emr) => {
    const { cursor, days } = await emr.changedSince(null);
    expect(days).toEqual([]);
    await booked(emr);
    const since = await emr.changedSince(cursor);
    expect(since.days).toEqual([{ providerId: stone, date: DATE }]);
    expect((await emr.changedSince(since.cursor)).days).toEqual([]);
  });

  const booked = async (emr: Emr, over: Partial<BookRequest> = {}) => {
    const answer = await emr.book(request(over));
    if (answer.kind !== 'booked') throw new Error(`Not booked but ${answer.kind}`);
    return answer.id;
  };

  const standing = async (emr: Emr, key = 'k1') => {
    const entry = await emr.findByKey(key);
    if (entry === null || entry === 'cancelled') throw new Error('It does not stand');
    return entry;
  };

  promise('books a free time, which is busy from then on, in wall time', async (emr, busy) => {
    await booked(emr, { start: '08:10', end: '08:20' });
    expect(busy()).toMatchObject([{ providerId: '101', date: DATE, start: '08:10', end: '08:20' }]);
  });

  promise('answers a repeated key with the booking that stands', async (emr, busy) => {
    const id = await booked(emr);
    expect(await emr.book(request())).toEqual({ kind: 'alreadyBooked', id });
    expect(await standing(emr)).toMatchObject({ id, start: '08:00', state: 'booked' });
    expect(busy()).toHaveLength(1);
  });

  promise('settles a booking as it stands, and one that nobody wrote as unknown', async (emr) => {
    const id = await booked(emr);
    expect(await emr.settle('k1')).toMatchObject({ id, key: 'k1', start: '08:00' });
    expect(await emr.settle('never')).toBeNull();
  });

  promise('answers a key that nobody used with null', async (emr) => {
    expect(await emr.findByKey('never')).toBeNull();
  });

  promise('refuses a time that overlaps a booking', async (emr) => {
    await booked(emr, { start: '08:00', end: '08:10' });
    const rival = request({ key: 'k2', start: '08:05', end: '08:15' });
    expect(await emr.book(rival)).toEqual({ kind: 'taken' });
    expect((await emr.book(request({ key: 'k3', start: '08:10', end: '08:15' }))).kind).toBe(
      'booked',
    );
  });

  promise('lets one of two rivals have a time', async (emr) => {
    const rivals = ['a', 'b', 'c'].map((key) => emr.book(request({ key })));
    const kinds = (await Promise.all(rivals)).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['booked', 'taken', 'taken']);
  });

  const offers = async (emr: Emr) => {
    for (const over of [
      { start: '12:00', end: '12:05' },
      { start: '08:55', end: '09:05' },
      { date: '2026-12-20' },
      { providerId: '999' as ProviderId },
    ])
      expect(await emr.book(request(over))).toEqual({ kind: 'notOffered' });
  };
  if (keepsSchedule) promise('does not offer what no template has', offers);

  promise('cancels once, and says so again under the same key', async (emr, busy) => {
    await booked(emr);
    const entry = await standing(emr);
    expect(await emr.cancel('x1', entry)).toEqual({ kind: 'cancelled' });
    expect(await emr.cancel('x1', entry)).toEqual({ kind: 'cancelled' });
    expect((await emr.cancel('x2', entry)).kind).not.toBe('changed');
    expect(await emr.findByKey('k1')).toBe('cancelled');
    expect(busy()).toEqual([]);
  });

  promise('leaves a booking that is not as it was read', async (emr, busy) => {
    await booked(emr);
    const entry = await standing(emr);
    const elsewhere = { ...entry, start: '08:30', end: '08:35' };
    expect(await emr.cancel('x1', elsewhere)).toEqual({ kind: 'changed' });
    expect(await emr.findByKey('k1')).toEqual(entry);
    expect(busy()).toHaveLength(1);
  });

  promise('keeps a tickler for its provider', async (emr, _, { ticklers }) => {
    const recordId = recordOf('c1');
    const tickler = { providerId: stone, recordId, text: 'Please call', date: DATE };
    expect(await emr.addTickler('t1', tickler)).toBe('added');
    expect(ticklers()).toEqual([tickler]);
  });

  const document = {
    name: 'f1-healthCard.png',
    mediaType: 'image/png',
    description: 'Health card',
    bytes: new Uint8Array([137, 80, 78, 71, 0, 255]),
  };

  promise('puts a file into the record of its patient, as it is', async (emr, _, { documents }) => {
    const recordId = recordOf('c1');
    expect(await emr.storeDocument('d1', { ...document, recordId })).toBe('added');
    const { name, bytes } = document;
    expect(documents()).toMatchObject([{ recordId, name, bytes }]);
  });

  promise('adds nothing where it has no record yet', async (emr, _, added) => {
    const recordId = 'nobody' as RecordId;
    expect(await emr.storeDocument('d1', { ...document, recordId })).toBe('noRecord');
    const tickler = { providerId: stone, recordId, text: 'Please call', date: DATE };
    expect(await emr.addTickler('t1', tickler)).toBe('noRecord');
    expect([...added.documents(), ...added.ticklers()]).toEqual([]);
  });

  test.each(promises)('%s', async (_, assertKept) => {
    const { emr, busy, ...added } = await open();
    await assertKept(emr, busy, added);
  });
}
