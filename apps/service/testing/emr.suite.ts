import { expect, test } from 'vitest';
import { stepOfTime, dayTemplate } from '@clinic/domain';
import type {
  BookRequest,
  RecordId,
  Emr,
  EmrBookings,
  ProviderId,
  EmrAppointmentId,
} from '../src/modules/records/emr.ts';
import type { FakeEmrContents, ProviderDay } from './emr-fake.ts';

export interface EmrUnderTest {
  readonly emr: Emr;
  readonly close?: () => Promise<void>;
}

const stone = '101' as ProviderId;
const baker = '109' as ProviderId;
const DATE = '2026-12-15';
const O_FROM_8_TO_9 = dayTemplate([
  { from: stepOfTime('08:00'), to: stepOfTime('09:00'), code: 'O' },
]);
const day = (providerId: ProviderId, date: string): ProviderDay => ({
  providerId,
  date,
  codes: O_FROM_8_TO_9,
});

/** What every implementation is opened with. */
export const suiteContents: Required<FakeEmrContents> = {
  providers: [
    { id: stone, firstName: 'Amelia', lastName: 'Stone', status: '1' },
    { id: baker, firstName: 'Tom', lastName: 'Baker', status: '0' },
  ],
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

const request = (over: Partial<BookRequest> = {}): BookRequest => ({
  key: 'k1',
  providerId: stone,
  recordId: 'c1' as RecordId,
  date: DATE,
  start: '08:00',
  end: '08:05',
  type: 'O',
  reason: 'Cough',
  ...over,
});

/** The promises of the EMR port (docs/emr.md). */
export function emrSuite(open: () => Promise<EmrUnderTest>): void {
  const promises: [string, (emr: Emr) => Promise<void>][] = [];
  const promise = (...each: (typeof promises)[number]) => promises.push(each);

  promise('gives a provider with their status, or null', async (emr) => {
    expect(await emr.getProvider(stone)).toMatchObject({ lastName: 'Stone', status: '1' });
    expect(await emr.getProvider(baker)).toMatchObject({ status: '0' });
    expect(await emr.getProvider('999' as ProviderId)).toBeNull();
  });

  promise('finds a chart by card and birth date: one, none or several', async (emr) => {
    const find = (cardNumber: string, birthDate = '1984-05-17') =>
      emr.findRecord({ cardProvince: 'BC', cardNumber, birthDate });
    expect(await find('9876543218')).toMatchObject({ kind: 'one', record: { id: 'c1' } });
    expect(await find('9876543218', '1984-05-18')).toEqual({ kind: 'none' });
    expect(await find('9999999999')).toEqual({ kind: 'none' });
    expect(await find('9111111111')).toEqual({ kind: 'many' });
    expect(await emr.getRecord('c1' as RecordId)).toMatchObject({ providerId: '101' });
    expect(await emr.getRecord('nobody' as RecordId)).toBeNull();
  });

  promise('opens a chart once, which is found from then on', async (emr) => {
    const opened = {
      id: 'n1' as RecordId,
      firstName: 'Tess',
      lastName: 'Wong',
      birthDate: '1990-02-03',
      cardProvince: 'BC',
      cardNumber: '9000000003',
      providerId: '1998',
    };
    const { cardProvince: _, cardNumber: __, ...record } = opened;
    const created = await emr.createRecord(opened);
    expect(created).toMatchObject({ kind: 'created', record });
    const again = await emr.createRecord({ ...opened, providerId: '1999' });
    expect(again).toMatchObject({ kind: 'alreadyThere', record });
    expect(await emr.getRecord(opened.id)).toMatchObject(record);
    expect(await emr.findRecord(opened)).toMatchObject({ kind: 'one', record });
    expect(await emr.mrpStatus(opened.id)).toEqual({ providerId: '1998', active: false });
  });

  promise('opens one chart for two who ask at once, and one without a card', async (emr) => {
    const opened = {
      id: 'n2' as RecordId,
      firstName: 'Noel',
      lastName: 'Fraser',
      birthDate: '1990-02-03',
      cardProvince: 'Other',
      cardNumber: '',
      providerId: '1999',
    };
    const answers = await Promise.all([emr.createRecord(opened), emr.createRecord(opened)]);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['alreadyThere', 'created']);
  });

  promise('knows whether the primary doctor practises', async (emr) => {
    const mrp = (id: string) => emr.mrpStatus(id as RecordId);
    expect(await mrp('c1')).toEqual({ providerId: '101', active: true });
    expect(await mrp('c2')).toEqual({ providerId: '109', active: false });
    expect(await mrp('c3')).toEqual({ providerId: null, active: false });
    expect(await mrp('nobody')).toEqual({ providerId: null, active: false });
  });

  promise('is online while it answers', async (emr) => {
    expect(await emr.status()).toBe('online');
  });

  test.each(promises)('%s', async (_, assertKept) => {
    const under = await open();
    try {
      await assertKept(under.emr);
    } finally {
      await under.close?.();
    }
  });
}

export interface BookUnderTest {
  readonly bookings: EmrBookings;
  readonly busy: () => readonly BookRequest[];
}

/** The promises of an EMR that keeps its own book. */
export function emrBookSuite(open: () => BookUnderTest): void {
  type Kept = (emr: EmrBookings, busy: BookUnderTest['busy']) => Promise<void>;
  const promises: [string, Kept][] = [];
  const promise = (...each: (typeof promises)[number]) => promises.push(each);
  const booked = async (emr: EmrBookings, over: Partial<BookRequest> = {}) => {
    const answer = await emr.book(request(over));
    if (answer.kind !== 'booked') throw new Error(`Not booked but ${answer.kind}`);
    return answer.id;
  };

  promise('books a free time, which is busy from then on, in wall time', async (emr, busy) => {
    await booked(emr, { start: '08:10', end: '08:20' });
    expect(busy()).toMatchObject([{ providerId: '101', date: DATE, start: '08:10', end: '08:20' }]);
  });

  promise('answers a repeated key with the booking that stands', async (emr, busy) => {
    const id = await booked(emr);
    expect(await emr.book(request())).toEqual({ kind: 'alreadyBooked', id });
    expect(await emr.findByKey('k1')).toEqual({ kind: 'alreadyBooked', id });
    expect(busy()).toHaveLength(1);
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

  promise('does not offer what no template has', async (emr) => {
    for (const over of [
      { start: '12:00', end: '12:05' },
      { start: '08:55', end: '09:05' },
      { date: '2026-12-20' },
      { providerId: '999' as ProviderId },
    ])
      expect(await emr.book(request(over))).toEqual({ kind: 'notOffered' });
  });

  promise('moves a booking in one step', async (emr, busy) => {
    const id = await booked(emr);
    const moved = await emr.move('m1', id, request({ date: '2026-12-16' }));
    expect(moved.kind).toBe('booked');
    expect(busy().map(({ date }) => date)).toEqual(['2026-12-16']);
    expect((await emr.move('m1', id, request({ date: '2026-12-16' }))).kind).toBe('alreadyBooked');
  });

  promise('leaves a booking as it was when it cannot be moved', async (emr, busy) => {
    const id = await booked(emr);
    await booked(emr, { key: 'k2', start: '08:30', end: '08:35' });
    const move = emr.move('m1', id, request({ start: '08:30', end: '08:35' }));
    expect(await move).toEqual({ kind: 'taken' });
    expect(busy()).toHaveLength(2);
  });

  promise('cancels once, and says so again under the same key', async (emr, busy) => {
    const id = await booked(emr);
    expect(await emr.cancel('x1', id)).toEqual({ kind: 'cancelled' });
    expect(await emr.cancel('x1', id)).toEqual({ kind: 'cancelled' });
    expect(await emr.cancel('x2', id)).toEqual({ kind: 'notFound' });
    expect(await emr.cancel('x3', 'nobody' as EmrAppointmentId)).toEqual({ kind: 'notFound' });
    expect(await emr.findByKey('x1')).toEqual({ kind: 'cancelled' });
    expect(busy()).toEqual([]);
  });

  test.each(promises)('%s', async (_, assertKept) => {
    const { bookings, busy } = open();
    await assertKept(bookings, busy);
  });
}
