import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { createOscar, providerNo } from '@clinic/oscar';
import {
  type FakeOscar,
  type ProfileName,
  bookByStaff,
  credentials,
  moveByStaff,
  profiles,
  startFakeOscar,
} from '@clinic/oscar/fake';
import { STEP_SECONDS, addDays, toInstant } from '@clinic/domain';

import { type EmrUnderTest, emrSuite, suiteContents } from '../../testing/emr.suite.ts';
import {
  type BookRequest,
  EmrOffline,
  EmrOutcomeUnknown,
  EmrRefused,
  type NewPatientRecord,
  type ProviderId,
  type RecordId,
} from '../modules/records/emr.ts';
import { type OpenedRecords, oscarEmr } from './emr-oscar/index.ts';
import { oneAtATime } from './emr-oscar/patients.ts';

const DATE = '2026-12-15';
const NUMBERS = ['c1', 'c2', 'c3', 'c4', 'c5'];
/** A name of the suite that is no record is a number that nobody has. */
const numberOf = (name: string) => String(NUMBERS.indexOf(name) + 1 || 999_999);

/** What the service keeps in its table. */
function openedRecords(): OpenedRecords {
  const rows = new Map<string, { emrId: string | null; askedAt: number }>();
  return {
    find: async (id) => rows.get(id) ?? null,
    named: async (emrId) => [...rows].find(([, row]) => row.emrId === emrId)?.[0] ?? null,
    async ask(id, now, since) {
      if ((rows.get(id)?.askedAt ?? 0) > since) return false;
      rows.set(id, { emrId: null, askedAt: now });
      return true;
    },
    async keep(id, emrId) {
      rows.set(id, { emrId, askedAt: 0 });
    },
    async forget(id) {
      rows.delete(id);
    },
  };
}

/** The contents of the suite in OSCAR's tables. */
function fill({ memory }: FakeOscar): void {
  for (const rows of [memory.providers, memory.demographics, memory.codes]) rows.length = 0;
  memory.templates.clear();
  for (const { id, ...rest } of suiteContents.providers)
    memory.providers.push({ providerNo: id, ...rest });
  memory.providers.push({ providerNo: '999998', firstName: '', lastName: 'oscardoc', status: '1' });
  const [code] = suiteContents.slotCodes;
  memory.codes.push({
    id: 1,
    code: code?.code ?? '',
    description: code?.description ?? '',
    duration: '',
    confirm: 'N',
    bookinglimit: 1,
  });
  for (const { providerId, date, codes } of suiteContents.days ?? [])
    memory.templates.set(`${providerId} ${date}`, codes);
  for (const {
    id,
    birthDate,
    cardProvince,
    cardNumber,
    providerId,
    ...name
  } of suiteContents.records) {
    const [dobYear = '', dobMonth = '', dobDay = ''] = birthDate.split('-');
    memory.demographics.push({
      ...name,
      demographicNo: Number(numberOf(id)),
      sex: 'U',
      dobYear,
      dobMonth,
      dobDay,
      hin: cardNumber,
      ver: '',
      hcType: cardProvince,
      providerNo: providerId ?? '',
      patientStatus: 'AC',
      email: '',
      phone: '',
    });
  }
}

async function openOscar(profile: ProfileName, { second = false } = {}) {
  const fake = await startFakeOscar({ profile, today: DATE });
  onTestFinished(() => fake.stop());
  fill(fake);
  const { consumer, token, soap } = credentials;
  const at = (base: string) =>
    createOscar({
      base,
      rest: { consumer, token },
      soap: profile === 'kai' ? null : soap,
      hiddenProviders: [providerNo('200')],
      timeoutMs: 5_000,
      perMinute: 10_000,
    });
  const emr = oscarEmr({
    addresses: second ? [at('http://127.0.0.1:9/oscar'), at(fake.base)] : [at(fake.base)],
    opened: openedRecords(),
    whose: async (key) => (key === 'never' ? null : (numberOf('c1') as RecordId)),
    nameOfType: async (type) => `Type ${type}`,
    programId: 1,
    now: () => toInstant('2026-12-10', '12:00'),
  });
  return { emr, fake };
}

const clockOf = (seconds: number) => {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
};

async function openForSuite(profile: ProfileName): Promise<EmrUnderTest> {
  const { emr, fake } = await openOscar(profile);
  const { memory } = fake;
  return {
    emr,
    busy: () =>
      memory.appointments
        .filter(({ status }) => status !== 'C')
        .map((row) => ({
          key: row.notes.slice(1, -1),
          providerId: row.providerNo as ProviderId,
          date: row.date,
          start: clockOf(row.start),
          end: clockOf(Math.ceil((row.end + 1) / STEP_SECONDS) * STEP_SECONDS),
        })),
    ticklers: () =>
      memory.ticklers.map((row) => ({
        providerId: row.taskAssignedTo as ProviderId,
        recordId: String(row.demographicNo) as RecordId,
        text: row.message.replace(/ \[[^\]]*\]$/, ''),
        date: new Date(row.serviceDate).toISOString().slice(0, 10),
      })),
    documents: () =>
      memory.documents.map(({ demographicNo, fileName: name, contents }) => ({
        recordId: String(demographicNo) as RecordId,
        name,
        bytes: new Uint8Array(Buffer.from(contents, 'base64')),
      })),
  };
}

describe.each(Object.keys(profiles) as ProfileName[])('OSCAR as %s', (profile) => {
  emrSuite(() => openForSuite(profile), {
    keepsSchedule: profile !== 'kai',
    numberOf: (name) => (name.startsWith('n') ? name : numberOf(name)),
  });
});

const wanted: BookRequest = {
  key: 'k1',
  providerId: '101' as ProviderId,
  recordId: numberOf('c1') as RecordId,
  date: DATE,
  start: '08:00',
  end: '08:05',
  type: 'O',
  reason: 'Cough',
};
const byStaff = { providerNo: '101', date: DATE, start: 480, minutes: 10, demographicNo: 2 };
const liveRows = ({ memory }: FakeOscar) =>
  memory.appointments.filter(({ status }) => status !== 'C');

describe('OSCAR behind the port', () => {
  test('says in the port’s words what went wrong', async () => {
    const { emr, fake } = await openOscar('oscar19');
    fake.switches.isDown = true;
    await expect(emr.providers()).rejects.toThrow(EmrOffline);
    await expect(emr.book(wanted)).rejects.toThrow(EmrOffline);
    fake.switches.isDown = false;
    fake.switches.nextWrite = 'cutAfter';
    await expect(emr.book(wanted)).rejects.toThrow(EmrOutcomeUnknown);
    fake.expireToken();
    await expect(emr.slotCodes()).rejects.toThrow(EmrRefused);
  });

  test('goes on at the second address where the first is not reached', async () => {
    const { emr, fake } = await openOscar('oscar19', { second: true });
    expect(await emr.book(wanted)).toMatchObject({ kind: 'booked' });
    expect(liveRows(fake)).toHaveLength(1);
  });

  test('writes as booked, with our key, the name of our type and what its database can keep', async () => {
    const { emr, fake } = await openOscar('oscar19');
    await emr.book({ ...wanted, reason: 'Cough \u{1F912}\uFFFF' });
    expect(liveRows(fake)).toMatchObject([
      {
        status: 't',
        notes: '[k1]',
        type: 'Type O',
        reason: 'Cough \uFFFD\uFFFD',
        name: 'MORGAN,CASEY',
      },
    ]);
  });

  test('gives back what staff took between the look and the write', async () => {
    const { emr, fake } = await openOscar('oscar19');
    const { memory } = fake;
    const add = memory.addAppointment.bind(memory);
    vi.spyOn(memory, 'addAppointment').mockImplementationOnce((row) => {
      bookByStaff(memory, byStaff);
      return add(row);
    });
    expect(await emr.book(wanted)).toEqual({ kind: 'taken' });
    expect(liveRows(fake)).toMatchObject([{ creator: 'reception' }]);
  });

  test('books nothing where staff made an appointment longer, whose end is asked for once a day', async () => {
    const { emr, fake } = await openOscar('kai');
    const longer = bookByStaff(fake.memory, { ...byStaff, start: 470, minutes: 10 });
    const entries = await emr.entries({ from: DATE, to: DATE });
    expect(entries).toMatchObject([{ start: '07:50', end: '08:00' }]);
    fake.memory.change(longer, { end: longer.end + STEP_SECONDS });
    expect(await emr.book(wanted)).toEqual({ kind: 'taken' });
  });

  test('knows an appointment by our key, whatever staff wrote in brackets before it', async () => {
    const { emr, fake } = await openOscar('oscar19');
    const key = 'claim:00000000-0000-4000-8000-000000000001';
    await emr.book({ ...wanted, key });
    for (const row of liveRows(fake)) fake.memory.change(row, { notes: `[urgent] ${row.notes}` });
    expect(await emr.entries({ from: DATE, to: DATE })).toMatchObject([{ key }]);
  });

  test('takes what staff copied with its notes for theirs, and only the oldest for ours', async () => {
    const { emr, fake } = await openOscar('oscar19');
    await emr.book(wanted);
    const [ours] = liveRows(fake);
    const copy = bookByStaff(fake.memory, { ...byStaff, start: 600, demographicNo: 1 });
    fake.memory.change(copy, { notes: ours?.notes ?? '' });
    expect(await emr.entries({ from: DATE, to: DATE })).toMatchObject([
      { key: 'k1', start: '08:00' },
      { key: null, start: '10:00' },
    ]);
    expect(await emr.findByKey('k1')).toMatchObject({ start: '08:00' });
  });

  test('settles a lost booking: it stands, was never written, or is taken back from where staff are', async () => {
    const { emr, fake } = await openOscar('oscar19');
    expect(await emr.settle('k1')).toBeNull();
    fake.switches.nextWrite = 'cutAfter';
    await expect(emr.book(wanted)).rejects.toThrow(EmrOutcomeUnknown);
    expect(await emr.settle('k1')).toMatchObject({ key: 'k1', start: '08:00' });
    bookByStaff(fake.memory, byStaff);
    expect(await emr.findByKey('k1')).toMatchObject({ key: 'k1' });
    expect(await emr.settle('k1')).toBe('cancelled');
    expect(liveRows(fake)).toMatchObject([{ creator: 'reception' }]);
  });

  test.each([
    ['H', 'arrived'],
    ['P', 'arrived'],
    ['B', 'arrived'],
    ['N', 'noShow'],
  ] as const)('leaves what staff have marked %s, and says %s', async (status, state) => {
    const { emr, fake } = await openOscar('oscar19');
    await emr.book(wanted);
    const entry = await emr.findByKey('k1');
    if (entry === null || entry === 'cancelled') throw new Error('It does not stand');
    for (const row of liveRows(fake)) fake.memory.change(row, { status });
    expect(await emr.findByKey('k1')).toMatchObject({ state });
    expect(await emr.cancel('x1', entry)).toEqual({ kind: 'changed' });
    for (const row of liveRows(fake)) fake.memory.change(row, { status: 'a' });
    expect(await emr.cancel('x1', entry)).toEqual({ kind: 'cancelled' });
  });

  test('follows what staff moved by its key, and says on whose day', async () => {
    const { emr, fake } = await openOscar('oscar19');
    await emr.book(wanted);
    const { cursor } = await emr.changedSince((await emr.changedSince(null)).cursor);
    const [row] = liveRows(fake);
    const there = { providerId: '102', date: '2026-12-16' };
    if (row) moveByStaff(fake.memory, row, { providerNo: '102', date: '2026-12-16', start: 500 });
    expect(await emr.changedSince(cursor)).toMatchObject({ days: [there], keys: ['k1'] });
    expect(await emr.findByKey('k1')).toMatchObject({ date: '2026-12-16', start: '08:20' });
  });

  const newcomer: NewPatientRecord = {
    id: 'n1' as RecordId,
    firstName: 'Tess',
    lastName: 'Wong',
    birthDate: '1990-02-03',
    cardProvince: 'BC',
    cardNumber: '9000000003',
    providerId: '1998',
  };
  const withoutCard = { ...newcomer, cardProvince: 'Other', cardNumber: '' };

  test.each([
    ['a card', newcomer],
    ['none', withoutCard],
  ])('opens a record once although the answer is lost, for who has %s', async (_, record) => {
    const { emr, fake } = await openOscar('oscar19');
    fake.switches.nextWrite = 'cutAfter';
    await expect(emr.createPatient(record)).rejects.toThrow(EmrOutcomeUnknown);
    expect(await emr.createPatient(record)).toBe('alreadyThere');
    expect(fake.memory.demographics).toHaveLength(NUMBERS.length + 1);
    expect(await emr.findPatient({ id: record.id })).toMatchObject({ kind: 'one' });
  });

  test.each([
    ['another birth date on the card', { ...newcomer, cardNumber: '9876543218' }],
    ['two records on the card', { ...newcomer, cardNumber: '9111111111' }],
    [
      'the same name and birth date',
      { ...withoutCard, lastName: 'Morgan', birthDate: '1984-05-17' },
    ],
    ['a name that OSCAR would cut', { ...newcomer, firstName: 'T'.repeat(31) }],
  ])('opens no record where there is %s', async (_, record) => {
    const { emr, fake } = await openOscar('oscar19');
    expect(await emr.createPatient(record)).toBe('unclear');
    expect(fake.memory.demographics).toHaveLength(NUMBERS.length);
  });

  test('leaves it to staff where the card is on the record of somebody who died', async () => {
    const { emr, fake } = await openOscar('oscar19');
    const { cardProvince } = newcomer;
    const card = { cardProvince, cardNumber: '9876543218', birthDate: '1984-05-17' };
    const [first] = fake.memory.demographics;
    if (first) first.patientStatus = 'DE';
    expect(await emr.findPatient(card)).toEqual({ kind: 'many' });
    expect(await emr.createPatient({ ...newcomer, ...card, lastName: 'Morgan' })).toBe('unclear');
  });

  test('says on which day there is what staff moved, and what it was', async () => {
    const { emr, fake } = await openOscar('oscar19');
    const theirs = bookByStaff(fake.memory, byStaff);
    const { cursor } = await emr.changedSince((await emr.changedSince(null)).cursor);
    moveByStaff(fake.memory, theirs, { providerNo: '101', date: '2026-12-16', start: 500 });
    const there = { providerId: '101', date: '2026-12-16' };
    const { days, entries } = await emr.changedSince(cursor);
    expect([days, entries]).toEqual([[there], [String(theirs.id)]]);
  });

  test('never shows a provider who is no person', async () => {
    const { emr } = await openOscar('kai');
    expect((await emr.providers()).map(({ id }) => id)).toEqual(['101', '109']);
  });
});

test('nobody waits longer than a while behind others of one doctor and day, and nothing is done for them later', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answer = Promise.withResolvers<string>();
  const done: string[] = [];
  const ask = oneAtATime(
    () => 'one doctor and day',
    4_000,
    async (who: string) => {
      done.push(who);
      return who === 'first' ? answer.promise : who;
    },
  );
  const first = ask('first');
  const [second] = await Promise.all([
    Promise.allSettled([ask('second')]),
    vi.advanceTimersByTimeAsync(4_000),
  ]);
  expect(second).toMatchObject([{ status: 'rejected', reason: expect.any(EmrOffline) as unknown }]);
  answer.resolve('booked');
  expect(await first).toBe('booked');
  expect(await ask('third')).toBe('third');
  expect(done).toEqual(['first', 'third']);
});

/**
 * A day of the sync at 20 providers, from what each of its turns costs: a turn every 20 seconds, the
 * whole window every half hour with the templates of the near days, all templates twice a day. Each
 * booking and each change by staff comes alone and moves an appointment from another day, which is the
 * dearest case: a call for either day.
 */
test('a day of 20 providers, 400 bookings and 150 changes by staff is at most 30,000 calls', async () => {
  const { emr, fake } = await openOscar('oscar19');
  const { memory, calls } = fake;
  memory.providers.length = 0;
  const numbers = Array.from({ length: 20 }, (_, at) => String(101 + at));
  for (const no of numbers)
    memory.providers.push({
      providerNo: no,
      firstName: 'Amelia',
      lastName: `Stone${no}`,
      status: '1',
    });
  const count = () => new Map(calls);
  const costOf = async (work: () => Promise<unknown>) => {
    const before = count();
    await work();
    return new Map([...count()].map(([call, n]) => [call, n - (before.get(call) ?? 0)]));
  };
  const templates = async (days: number) => {
    const to = addDays(DATE, days - 1);
    for (let from = DATE; from <= to;) {
      const said = await emr.dayTemplates({ from, to });
      from = addDays(said?.through ?? to, 1);
    }
  };
  await emr.providers();
  const { cursor } = await emr.changedSince(null);
  // The login, which is asked for once.
  await emr.changedSince(cursor);
  const entries = (days: number, of?: readonly ProviderId[]) =>
    emr.entries({ from: DATE, to: addDays(DATE, days - 1) }, of);
  const parts: [number, () => Promise<unknown>][] = [
    [4_320, () => emr.changedSince(cursor)],
    [400 + 150 * 2, () => entries(1, ['101' as ProviderId])],
    [48 * 4, () => entries(23)],
    [48, () => emr.slotCodes()],
    [48, () => templates(4)],
    [400, () => emr.book({ ...wanted, key: 'k2', start: '08:30', end: '08:35' })],
  ];
  const day = new Map<string, number>();
  const add = (times: number, cost: ReadonlyMap<string, number>) => {
    for (const [call, n] of cost) day.set(call, (day.get(call) ?? 0) + times * n);
  };
  for (const [times, work] of parts) add(times, await costOf(work));
  // The rest of the window twice a day: one call a provider and day, as above.
  add(2, new Map([['getDayWorkSchedule', 88 * numbers.length]]));
  // Who works there is kept for five minutes.
  add(1, new Map([['providers_json', 288 + 48]]));
  const total = [...day.values()].reduce((sum, n) => sum + n, 0);
  const printed = [...day].filter(([, n]) => n > 0).map(([call, n]) => `${n} ${call}`);
  process.stdout.write(`${total} calls a day: ${printed.join(', ')}\n`);
  // What a sync reads after a change is of one provider alone.
  expect(day.get('getAppointmentsForDateRangeAndProvider2')).toBe(700 + 192 * 20 + 400 * 2);
  expect(total).toBeLessThanOrEqual(30_000);
});
