import { expect, test } from 'vitest';
import { cellOfTime, dayTemplate } from '@clinic/domain';
import type {
  BookRequest,
  ChartId,
  ClinicRecords,
  ProviderDay,
  ProviderId,
  RecordsBookingId,
} from '../ports/clinic-records.ts';
import type { FakeRecordsContents } from './clinic-records-fake.ts';

export interface RecordsUnderTest {
  readonly records: ClinicRecords;
  readonly close?: () => Promise<void>;
}

const stone = '101' as ProviderId;
const baker = '109' as ProviderId;
const DATE = '2026-12-15';
const O_FROM_8_TO_9 = dayTemplate([
  { from: cellOfTime('08:00'), to: cellOfTime('09:00'), code: 'O' },
]);
const day = (providerId: ProviderId, date: string): ProviderDay => ({
  providerId,
  date,
  codes: O_FROM_8_TO_9,
});

/** What every implementation is opened with. */
export const suiteContents: Required<FakeRecordsContents> = {
  providers: [
    { id: stone, firstName: 'Amelia', lastName: 'Stone', status: '1' },
    { id: baker, firstName: 'Tom', lastName: 'Baker', status: '0' },
  ],
  days: [day(stone, DATE), day(stone, '2026-12-16'), day(baker, DATE)],
  charts: [
    chart('c1', '9876543218', stone),
    chart('c2', '9000000001', baker),
    chart('c3', '9000000002', null),
    chart('c4', '9111111111', null),
    chart('c5', '9111111111', null),
  ],
};

function chart(id: string, cardNumber: string, providerId: string | null) {
  return {
    id: id as ChartId,
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
  chartId: 'c1' as ChartId,
  date: DATE,
  start: '08:00',
  end: '08:05',
  type: 'O',
  reason: 'Cough',
  ...over,
});

/** The promises of the clinic-records port (docs/clinic-records.md). */
export function clinicRecordsSuite(open: () => Promise<RecordsUnderTest>): void {
  const promises: [string, (records: ClinicRecords) => Promise<void>][] = [];
  const promise = (...each: (typeof promises)[number]) => promises.push(each);
  const booked = async (records: ClinicRecords, over: Partial<BookRequest> = {}) => {
    const answer = await records.book(request(over));
    if (answer.kind !== 'booked') throw new Error(`Not booked but ${answer.kind}`);
    return answer.id;
  };

  promise('lists providers with their status, and gives one or null', async (records) => {
    const listed = await records.listProviders();
    expect(listed.map(({ id, status }) => [id, status])).toEqual([
      ['101', '1'],
      ['109', '0'],
    ]);
    expect(await records.getProvider(stone)).toMatchObject({ lastName: 'Stone' });
    expect(await records.getProvider('999' as ProviderId)).toBeNull();
  });

  promise('gives templates of the days asked for, both ends included', async (records) => {
    expect(await records.schedule([stone], DATE, '2026-12-16')).toHaveLength(2);
    expect(await records.schedule(null, DATE, DATE)).toHaveLength(2);
    expect(await records.schedule([stone], '2026-12-17', '2026-12-20')).toEqual([]);
  });

  promise('books a free time, which is busy from then on, in wall time', async (records) => {
    await booked(records, { start: '08:10', end: '08:20' });
    expect(await records.busy([stone], DATE, DATE)).toEqual([
      { providerId: '101', date: DATE, start: '08:10', end: '08:20' },
    ]);
  });

  promise('answers a repeated key with the booking that stands', async (records) => {
    const id = await booked(records);
    expect(await records.book(request())).toEqual({ kind: 'alreadyBooked', id });
    expect(await records.findByKey('k1')).toEqual({ kind: 'alreadyBooked', id });
    expect(await records.busy(null, DATE, DATE)).toHaveLength(1);
  });

  promise('answers a key that nobody used with null', async (records) => {
    expect(await records.findByKey('never')).toBeNull();
  });

  promise('refuses a time that overlaps a booking', async (records) => {
    await booked(records, { start: '08:00', end: '08:10' });
    const rival = request({ key: 'k2', start: '08:05', end: '08:15' });
    expect(await records.book(rival)).toEqual({ kind: 'taken' });
    expect((await records.book(request({ key: 'k3', start: '08:10', end: '08:15' }))).kind).toBe(
      'booked',
    );
  });

  promise('lets one of two rivals have a time', async (records) => {
    const rivals = ['a', 'b', 'c'].map((key) => records.book(request({ key })));
    const kinds = (await Promise.all(rivals)).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['booked', 'taken', 'taken']);
  });

  promise('does not offer what no template has', async (records) => {
    for (const over of [
      { start: '12:00', end: '12:05' },
      { start: '08:55', end: '09:05' },
      { date: '2026-12-20' },
      { providerId: '999' as ProviderId },
    ])
      expect(await records.book(request(over))).toEqual({ kind: 'notOffered' });
  });

  promise('moves a booking in one step', async (records) => {
    const id = await booked(records);
    const moved = await records.move('m1', id, request({ date: '2026-12-16' }));
    expect(moved.kind).toBe('booked');
    const busy = await records.busy(null, DATE, '2026-12-16');
    expect(busy.map(({ date }) => date)).toEqual(['2026-12-16']);
    expect((await records.move('m1', id, request({ date: '2026-12-16' }))).kind).toBe(
      'alreadyBooked',
    );
  });

  promise('leaves a booking as it was when it cannot be moved', async (records) => {
    const id = await booked(records);
    await booked(records, { key: 'k2', start: '08:30', end: '08:35' });
    const move = records.move('m1', id, request({ start: '08:30', end: '08:35' }));
    expect(await move).toEqual({ kind: 'taken' });
    expect(await records.busy(null, DATE, DATE)).toHaveLength(2);
  });

  promise('cancels once, and says so again under the same key', async (records) => {
    const id = await booked(records);
    expect(await records.cancel('x1', id)).toEqual({ kind: 'cancelled' });
    expect(await records.cancel('x1', id)).toEqual({ kind: 'cancelled' });
    expect(await records.cancel('x2', id)).toEqual({ kind: 'notFound' });
    expect(await records.cancel('x3', 'nobody' as RecordsBookingId)).toEqual({ kind: 'notFound' });
    expect(await records.findByKey('x1')).toEqual({ kind: 'cancelled' });
    expect(await records.busy(null, DATE, DATE)).toEqual([]);
  });

  promise('finds a chart by card and birth date: one, none or several', async (records) => {
    const find = (cardNumber: string, birthDate = '1984-05-17') =>
      records.findChart({ cardProvince: 'BC', cardNumber, birthDate });
    expect(await find('9876543218')).toMatchObject({ kind: 'one', chart: { id: 'c1' } });
    expect(await find('9876543218', '1984-05-18')).toEqual({ kind: 'none' });
    expect(await find('9999999999')).toEqual({ kind: 'none' });
    expect(await find('9111111111')).toEqual({ kind: 'many' });
    expect(await records.getChart('c1' as ChartId)).toMatchObject({ providerId: '101' });
    expect(await records.getChart('nobody' as ChartId)).toBeNull();
  });

  promise('opens a chart once, which is found from then on', async (records) => {
    const opened = {
      id: 'n1' as ChartId,
      firstName: 'Tess',
      lastName: 'Wong',
      birthDate: '1990-02-03',
      cardProvince: 'BC',
      cardNumber: '9000000003',
      providerId: '1998',
    };
    const { cardProvince: _, cardNumber: __, ...chart } = opened;
    const created = await records.createChart(opened);
    expect(created).toMatchObject({ kind: 'created', chart });
    const again = await records.createChart({ ...opened, providerId: '1999' });
    expect(again).toMatchObject({ kind: 'alreadyThere', chart });
    expect(await records.getChart(opened.id)).toMatchObject(chart);
    expect(await records.findChart(opened)).toMatchObject({ kind: 'one', chart });
    expect(await records.mrpStatus(opened.id)).toEqual({ providerId: '1998', active: false });
  });

  promise('opens one chart for two who ask at once, and one without a card', async (records) => {
    const opened = {
      id: 'n2' as ChartId,
      firstName: 'Noel',
      lastName: 'Fraser',
      birthDate: '1990-02-03',
      cardProvince: 'Other',
      cardNumber: '',
      providerId: '1999',
    };
    const answers = await Promise.all([records.createChart(opened), records.createChart(opened)]);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['alreadyThere', 'created']);
  });

  promise('knows whether the primary doctor practises', async (records) => {
    const mrp = (id: string) => records.mrpStatus(id as ChartId);
    expect(await mrp('c1')).toEqual({ providerId: '101', active: true });
    expect(await mrp('c2')).toEqual({ providerId: '109', active: false });
    expect(await mrp('c3')).toEqual({ providerId: null, active: false });
    expect(await mrp('nobody')).toEqual({ providerId: null, active: false });
  });

  promise('is online while it answers', async (records) => {
    expect(await records.status()).toBe('online');
  });

  test.each(promises)('%s', async (_, assertKept) => {
    const under = await open();
    try {
      await assertKept(under.records);
    } finally {
      await under.close?.();
    }
  });
}
