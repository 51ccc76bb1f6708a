import { addDays, startOfDay, toInstant } from '@clinic/domain';
import type { DoctorStatus } from '@clinic/domain';
import { aDoctor, anAppointmentType, aPatient, aStatus, NOW } from '@clinic/domain/testing';
import type { ApiScheduleDay } from '@clinic/contract';
import { expect, test } from 'vitest';
import { outcomePlace, slotColumns } from './slot-columns.ts';
import type { GridFacts } from './slot-columns.ts';

const stone = aDoctor();
const mehta = aDoctor({ id: '102', firstName: 'Rahul', lastName: 'Mehta' });
const today = '2026-11-21';
const tomorrow = '2026-11-22';

const slotAt = (date: string, time: string, code = 'O') => {
  const start = toInstant(date, time);
  return { code, start, end: start + 300 };
};

function day(date: string, times: Record<string, readonly string[]>): ApiScheduleDay {
  const providers = Object.entries(times).map(([doctor, own]) => ({
    doctor,
    schedule: own.map((time) => slotAt(date, time)),
    booked: [],
  }));
  return { date, providers };
}

const facts = (over: Partial<GridFacts> = {}): GridFacts => ({
  type: anAppointmentType(),
  doctor: 'earliest',
  doctors: [stone, mehta],
  statuses: new Map<string, DoctorStatus>([
    ['101', aStatus()],
    ['102', aStatus()],
  ]),
  patient: aPatient(),
  ...over,
});

const oneDay = { kind: 'day', from: tomorrow, to: tomorrow } as const;
const sixDays = { kind: 'days', from: today, to: addDays(today, 5) } as const;
const timesOf = (parts: readonly { chips: readonly { time: string }[] }[]) =>
  parts.flatMap(({ chips }) => chips.map(({ time }) => time));

test('one day has a column for each provider who has a free time', () => {
  const { columns } = slotColumns(
    [day(tomorrow, { '101': ['09:00'], '102': [] })],
    oneDay,
    facts(),
    NOW,
  );
  expect(columns.map(({ provider }) => provider)).toEqual([stone]);
});

test('several days have a column for each date, also one without a free time', () => {
  const days = [day(today, { '101': ['13:00'] }), day(tomorrow, { '101': [] })];
  const { columns, count } = slotColumns(days, sixDays, facts({ doctor: stone }), NOW);
  expect(columns.map(({ date, count }) => [date, count])).toEqual([
    [today, 1],
    [tomorrow, 0],
  ]);
  expect(columns[0]?.provider).toBeNull();
  expect(count).toBe(1);
});

test('times are parted at noon and at five', () => {
  const days = [day(tomorrow, { '101': ['17:00', '11:55', '12:00', '16:55', '08:00'] })];
  const [column] = slotColumns(days, oneDay, facts(), NOW).columns;
  expect(column?.parts.map(({ part, chips }) => [part, chips.map(({ time }) => time)])).toEqual([
    ['morning', ['08:00', '11:55']],
    ['afternoon', ['12:00', '16:55']],
    ['evening', ['17:00']],
  ]);
});

// Shows: 3.slot.1
test('a free time keeps the end that the schedule gives it', () => {
  const days = [day(tomorrow, { '101': ['09:00'] })];
  const start = toInstant(tomorrow, '09:00');
  days[0]?.providers[0]?.schedule.splice(0, 1, { code: 'L', start, end: start + 1500 });
  const [column] = slotColumns(days, oneDay, facts(), NOW).columns;
  expect(column?.parts[0]?.chips[0]).toMatchObject({ time: '09:00', end: start + 1500 });
});

// Shows: 5.slot-visibility.2
test('a slot exactly 30 minutes ahead is absent, the next one is there', () => {
  const days = [day(today, { '101': ['09:30', '09:35'] })];
  const view = { kind: 'day', from: today, to: today } as const;
  expect(timesOf(slotColumns(days, view, facts(), NOW).columns[0]?.parts ?? [])).toEqual(['09:35']);
});

// Shows: R-23
test('a family-only doctor is hidden and marked when the primary doctor could not be checked', () => {
  const familyOnly = facts({
    type: anAppointmentType({ enforceMrp: true }),
    statuses: new Map([['101', aStatus({ familyOnly: true })]]),
    patient: aPatient({ hasActivePrimaryDoctor: 'unknown' }),
  });
  const grid = slotColumns([day(tomorrow, { '101': ['09:00'] })], oneDay, familyOnly, NOW);
  expect(grid).toMatchObject({ count: 0, primaryDoctorUnknown: true });
});

test('the provider who is free first comes first', () => {
  const days = [day(tomorrow, { '101': ['08:05'], '102': ['09:00', '08:00'] })];
  const { columns } = slotColumns(days, oneDay, facts(), NOW);
  expect(columns.map(({ key }) => key)).toEqual(['102', '101']);
});

test('an outcome stands after its time, or where that was, while its part of the day stands', () => {
  const days = [day(tomorrow, { '101': ['09:00', '09:10'] })];
  const { columns } = slotColumns(days, oneDay, facts(), NOW);
  const placeOf = (doctor: string, time: string, date = tomorrow) =>
    outcomePlace(columns, { ...slotAt(date, time), doctor, time, key: `${doctor} ${time}` });
  const after = (count: number) => ({ column: '101', part: 'morning', after: count });
  expect(placeOf('101', '09:10')).toEqual(after(2));
  expect(placeOf('101', '09:05')).toEqual(after(1));
  expect(placeOf('101', '08:00')).toEqual(after(0));
  expect(placeOf('101', '13:00')).toBeNull();
  expect(placeOf('102', '09:00')).toBeNull();
  expect(placeOf('101', '09:00', addDays(tomorrow, 1))).toBeNull();
});

test('only the chosen doctor is asked', () => {
  const days = [day(tomorrow, { '101': ['09:00'], '102': ['09:00'] })];
  const grid = slotColumns(days, oneDay, facts({ doctor: { id: '102' } }), NOW);
  expect(grid.columns.map(({ key }) => key)).toEqual(['102']);
});

// Shows: 2.pick-slot.4
test('the times are those on the clinic wall, in winter too', () => {
  const start = startOfDay('2026-12-15') + 13 * 3600;
  const days: ApiScheduleDay[] = [
    {
      date: '2026-12-15',
      providers: [
        { doctor: '101', schedule: [{ code: 'O', start, end: start + 300 }], booked: [] },
      ],
    },
  ];
  const view = { kind: 'day', from: '2026-12-15', to: '2026-12-15' } as const;
  expect(timesOf(slotColumns(days, view, facts(), NOW).columns[0]?.parts ?? [])).toEqual(['13:00']);
});
