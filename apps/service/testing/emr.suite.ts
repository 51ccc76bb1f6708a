import { expect, test } from 'vitest';
import { dayTemplate, patientQuery, stepOfTime } from '@clinic/domain';
import { EmrOffline, EmrRefused } from '../src/modules/records/emr.ts';
import type {
  BookRequest,
  BookingStage,
  Contact,
  RecordId,
  Emr,
  EmrDay,
  NewPatientRecord,
  ProviderId,
  Tickler,
} from '../src/modules/records/emr.ts';
import type { FakeRecord } from '@clinic/practice/emr/fake-records.ts';
import type { FakeEmrContents, InBook, InRecord } from '@clinic/practice/emr/practice-emr.ts';

export interface EmrUnderTest {
  readonly emr: Emr;
  readonly busy: () => readonly InBook[] | Promise<readonly InBook[]>;
  /** Left out, with the next, where nobody can read what was added. */
  readonly ticklers?: () => readonly Tickler[];
  readonly documents?: () => readonly Pick<InRecord, 'recordId' | 'name' | 'bytes'>[];
}

/** What an implementation says of itself, where it is not as the others are. */
export interface StatedCapabilities {
  /** The number in the EMR of the record that is called so in `suiteContents`. */
  readonly numberOf?: (name: string) => string;
  /** Whether files can be put into a record. */
  readonly takesDocuments?: boolean;
  /** Whether it was filled with `suiteContents`: else what needs them is left out, and c1 is a patient that it has. */
  readonly isFilled?: boolean;
  /** Somebody of whom it has no record. */
  readonly newcomer?: () => Pick<NewPatientRecord, 'lastName' | 'birthDate' | 'cardNumber'>;
}

const WONG = { lastName: 'Wong', birthDate: '1990-02-03', cardNumber: '9000000003' };

/** Of somebody who opens a record. */
export const aContact: Contact = {
  sex: 'Female',
  phone: '604-555-0142',
  mobilePhone: '',
  internationalPhone: '',
  email: 'tess.wong@example.org',
  address: '2130 West 41st Avenue',
  city: 'Vancouver',
  province: 'BC',
  postal: 'V6M 1Z1',
};

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

const LINH = { firstName: 'Linh', lastName: 'Nguyen-Ross', birthDate: '1990-02-13' };

/** What every implementation is opened with. */
export const suiteContents: Required<Omit<FakeEmrContents, 'booked'>> = {
  providers: [
    { id: stone, firstName: 'Amelia', lastName: 'Stone', status: '1' },
    { id: baker, firstName: 'Tom', lastName: 'Baker', status: '0' },
  ],
  slotCodes: [{ code: 'O', description: 'In-person visit', minutes: null }],
  names: null,
  days: [day(stone, DATE), day(stone, '2026-12-16'), day(baker, DATE)],
  records: [
    record('c1', '9876543218', stone),
    record('c2', '9000000001', baker),
    record('c3', '9000000002', null),
    record('c4', '9111111111', null),
    record('c5', '9111111111', null),
    record('c6', '9000000006', null, { ...LINH, phone: '604-555-0142' }),
    record('c7', '9000000007', null, { ...LINH, firstName: 'Lin', mergedInto: 'c6' as RecordId }),
    record('c8', '9000000008', null, { lastName: 'Nguyen', state: 'inactive' }),
    record('c9', '9000000009', null, { lastName: 'Nguyen', state: 'deceased' }),
  ],
};

function record(
  id: string,
  cardNumber: string,
  providerId: string | null,
  over: Partial<FakeRecord> = {},
): FakeRecord {
  return {
    id: id as RecordId,
    firstName: 'Casey',
    lastName: 'Morgan',
    birthDate: '1984-05-17',
    providerId,
    cardProvince: 'BC',
    cardNumber,
    ...over,
  };
}

/** The promises of the EMR port (docs/emr.md). */
export function emrSuite(
  open: () => EmrUnderTest | Promise<EmrUnderTest>,
  {
    numberOf = (name) => name,
    takesDocuments = true,
    isFilled = true,
    newcomer = () => WONG,
  }: StatedCapabilities = {},
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
  const onFilled: typeof promise = (...each) => (isFilled ? promise(...each) : 0);

  onFilled(
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
      id: numberOf('n1') as RecordId,
      firstName: 'Tess',
      ...newcomer(),
      cardProvince: 'BC',
      providerId: '1998',
      contact: aContact,
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
      id: numberOf('n2') as RecordId,
      firstName: 'Noel',
      ...newcomer(),
      cardProvince: 'Other',
      cardNumber: '',
      providerId: '1999',
      contact: aContact,
    };
    const answers = await Promise.all([emr.createPatient(opened), emr.createPatient(opened)]);
    expect(answers.sort()).toEqual(['alreadyThere', 'created']);
  });

  const found = async (emr: Emr, typed: string, most = 9) => {
    const query = patientQuery(typed);
    if (query === null) throw new Error('That is no search');
    const { charts, hasMore } = (await emr.searchCharts(query, most)) ?? { charts: null };
    return { ids: charts?.map(({ id }) => id).toSorted() ?? null, hasMore };
  };
  const are = (...names: string[]) => ({ ids: names.map(numberOf).toSorted(), hasMore: false });

  onFilled('finds records by name, birth date, card, number and end of a phone', async (emr) => {
    for (const typed of ['linh', 'Ross, Linh', 'lính nguyen', '1990-02-13', 'ross 1990-02-13'])
      expect([typed, await found(emr, typed)]).toEqual([typed, are('c6')]);
    for (const typed of ['9000 000 006', '0142', '(604) 555-0142', numberOf('c6')])
      expect([typed, await found(emr, typed)]).toEqual([typed, are('c6')]);
    for (const typed of ['Nobody', 'linh 1984-05-17', 'casey 9000000006', '1990-02-14', '5550143'])
      expect([typed, await found(emr, typed)]).toEqual([typed, are()]);
    expect(await found(emr, 'nguyen')).toEqual(are('c6', 'c8', 'c9'));
  });

  onFilled('finds one that was merged as the one that stands, and each once', async (emr) => {
    expect(await found(emr, 'lin')).toEqual(are('c6'));
    expect(await found(emr, '9000000007')).toEqual(are('c6'));
    const query = patientQuery('lin');
    const { charts } = (query && (await emr.searchCharts(query, 9))) ?? {};
    expect(charts?.[0]).toMatchObject({ firstName: like('Linh'), birthDate: '1990-02-13' });
    expect(charts?.[0]?.numbers.toSorted()).toEqual(['c6', 'c7'].map(numberOf).toSorted());
  });

  onFilled('finds at most so many, says that there are more, and their states', async (emr) => {
    const all = await found(emr, 'casey');
    expect([all.ids?.length, all.hasMore]).toEqual([7, false]);
    const some = await found(emr, 'casey', 5);
    expect([some.ids?.length, some.hasMore]).toEqual([5, true]);
    const query = patientQuery('casey nguyen');
    const { charts = [] } = (query && (await emr.searchCharts(query, 9))) ?? {};
    expect(charts.map(({ state }) => state).toSorted()).toEqual(['deceased', 'inactive']);
  });

  onFilled(
    'reads the chart that stands for a number, with its card and its numbers',
    async (emr) => {
      for (const name of ['c6', 'c7']) {
        const read = await emr.chart(numberOf(name));
        expect({ ...read, numbers: read?.numbers.toSorted() }).toMatchObject({
          id: numberOf('c6'),
          firstName: like('Linh'),
          lastName: like('Nguyen-Ross'),
          birthDate: '1990-02-13',
          state: 'active',
          card: { province: 'BC', number: '9000000006' },
          phones: ['604-555-0142'],
          numbers: ['c6', 'c7'].map(numberOf).toSorted(),
        });
      }
      expect(await emr.chart(numberOf('nobody'))).toBeNull();
    },
  );

  onFilled('knows who is responsible for a patient', async (emr) => {
    const responsible = (id: string) => emr.responsibleProvider(recordOf(id));
    expect(await responsible('c1')).toBe('101');
    expect(await responsible('c3')).toBeNull();
    expect(await responsible('nobody')).toBeNull();
  });

  onFilled(
    'lists its providers with their status, its codes and the days that have work',
    async (emr) => {
      expect(await emr.providers()).toMatchObject([{ id: '101', status: '1' }, { status: '0' }]);
      expect(await emr.slotCodes()).toMatchObject([{ code: 'O', minutes: null }]);
      const said = await emr.dayTemplates({ from: DATE, to: DATE });
      expect(said).toMatchObject({ through: DATE });
      const atWork = said?.days.find(
        ({ providerId, date }) => providerId === stone && date === DATE,
      );
      expect(atWork?.codes).toBe(O_FROM_8_TO_9);
      expect(await emr.dayNow(DATE, [stone])).toEqual([atWork]);
      expect(await emr.dayNow('2026-12-17', [stone])).toEqual([]);
    },
  );

  promise('takes both keys, and says so of those that it is asked for', async (emr) => {
    const standing = (key: string) => ({ key, state: 'taken', why: null });
    expect(await emr.tryKeys(['login', 'token'], 0)).toMatchObject([
      standing('login'),
      standing('token'),
    ]);
    expect(await emr.tryKeys([], 0)).toEqual([]);
    expect(await emr.takeUp()).toBe(false);
  });

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

  // Others change what they like in an OSCAR that runs, in the same second too.
  onFilled('tells on whose days anything changed, each change once', async (emr) => {
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
    expect(await busy()).toMatchObject([
      { providerId: '101', date: DATE, start: '08:10', end: '08:20' },
    ]);
  });

  promise('answers a repeated key with the booking that stands', async (emr, busy) => {
    const id = await booked(emr);
    expect(await emr.book(request())).toEqual({ kind: 'alreadyBooked', id });
    expect(await standing(emr)).toMatchObject({ id, start: '08:00', state: 'booked' });
    expect(await busy()).toHaveLength(1);
  });

  promise('writes nothing where nobody waits for the booking any more', async (emr, busy) => {
    const stages: BookingStage[] = [];
    const booking = emr.book(request(), async (stage) => {
      stages.push(stage);
      if (stage === 'writing') throw new EmrOffline('Nobody waits any more');
    });
    await expect(booking).rejects.toThrow(EmrOffline);
    expect(stages.slice(-2)).toEqual(['asking', 'writing']);
    expect(await busy()).toEqual([]);
    await booked(emr);
  });

  promise('settles a booking as it stands, and one that nobody wrote as unknown', async (emr) => {
    const id = await booked(emr);
    expect(await emr.resolve('k1')).toMatchObject({ id, key: 'k1', start: '08:00' });
    expect(await emr.resolve('never')).toBeNull();
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

  promise('books nothing for a patient of whom it has no record, and says so', async (emr) => {
    const stranger = request({ recordId: recordOf('nobody') });
    expect(await emr.book(stranger)).toEqual({ kind: 'noRecord' });
    expect(await emr.findByKey(stranger.key)).toBeNull();
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
  onFilled('does not offer what no template has', offers);

  promise('cancels once, and says so again under the same key', async (emr, busy) => {
    await booked(emr);
    const entry = await standing(emr);
    expect(await emr.cancel('x1', entry)).toEqual({ kind: 'cancelled' });
    expect(await emr.cancel('x1', entry)).toEqual({ kind: 'cancelled' });
    expect((await emr.cancel('x2', entry)).kind).not.toBe('changed');
    expect(await emr.findByKey('k1')).toBe('cancelled');
    expect(await busy()).toEqual([]);
  });

  promise('leaves a booking that is not as it was read', async (emr, busy) => {
    await booked(emr);
    const entry = await standing(emr);
    const elsewhere = { ...entry, start: '08:30', end: '08:35' };
    expect(await emr.cancel('x1', elsewhere)).toEqual({ kind: 'changed' });
    expect(await emr.findByKey('k1')).toEqual(entry);
    expect(await busy()).toHaveLength(1);
  });

  promise('keeps a tickler for its provider', async (emr, _, { ticklers }) => {
    const recordId = recordOf('c1');
    const tickler = { providerId: stone, recordId, text: 'Please call', date: DATE };
    expect(await emr.addTickler('t1', tickler)).toBe('added');
    if (ticklers !== undefined) expect(ticklers()).toEqual([tickler]);
  });

  const document = {
    name: 'f1-healthCard.png',
    mediaType: 'image/png',
    description: 'Health card',
    bytes: new Uint8Array([137, 80, 78, 71, 0, 255]),
  };

  promise('puts a file into the record of its patient, as it is', async (emr, _, { documents }) => {
    const recordId = recordOf('c1');
    const stored = emr.storeDocument('d1', { ...document, recordId });
    if (!takesDocuments) {
      await expect(stored).rejects.toThrow(EmrRefused);
      expect(documents?.()).toEqual([]);
      return;
    }
    expect(await stored).toBe('added');
    const { name, bytes } = document;
    if (documents !== undefined) expect(documents()).toMatchObject([{ recordId, name, bytes }]);
  });

  promise('adds nothing where it has no record yet', async (emr, _, added) => {
    const recordId = 'nobody' as RecordId;
    expect(await emr.storeDocument('d1', { ...document, recordId })).toBe('noRecord');
    const tickler = { providerId: stone, recordId, text: 'Please call', date: DATE };
    expect(await emr.addTickler('t1', tickler)).toBe('noRecord');
    expect([...(added.documents?.() ?? []), ...(added.ticklers?.() ?? [])]).toEqual([]);
  });

  test.each(promises)('%s', async (_, assertKept) => {
    const { emr, busy, ...added } = await open();
    await assertKept(emr, busy, added);
  });
}
