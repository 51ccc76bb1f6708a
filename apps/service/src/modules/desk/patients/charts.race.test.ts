import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeOscar, startFakeOscar } from '@clinic/oscar/fake';
import { fakeOscarCredentials } from '@clinic/practice/emr/fake-oscar.ts';
import { toInstant } from '@clinic/domain';
import { aClinic } from '../../../../testing/a-clinic.ts';
import { aStaffMember, askDesk, deskSession } from '../../../../testing/desk.ts';
import {
  type PatientRow,
  type TestApp,
  aPatient,
  ask,
  signIn,
  testApp,
} from '../../../../testing/index.ts';
import { oscarsAt } from '../../../adapters/emr-oscar/connection.ts';
import { emrOn } from '../../../open-emr.ts';
import { emrRecord, staffSession } from '../../../schema.ts';
import { appointments } from '../../appointments/index.ts';
import { emrBook, syncFromEmr } from '../../emr/index.ts';
import { closeAccount, decideChart, foldNames } from '../../patients/index.ts';
import type { Emr } from '../../records/emr.ts';

const DAY = '2026-11-23';
const start = toInstant(DAY, '08:00');
const BORN = { dobYear: '1984', dobMonth: '05', dobDay: '17' };

let fake: FakeOscar;
let clinic: TestApp;
let casey: PatientRow;
let token: string;
let desks: { manager: string; receptionist: string };
/** What happens between the look at a patient's chart and the write of their appointment. */
let beforeWrite: (() => Promise<unknown>) | null;

/** A clinic on OSCAR: Casey has chart 1; charts 2 and 3 are of somebody born on the same day. */
beforeEach(async () => {
  beforeWrite = null;
  fake = await startFakeOscar({ profile: 'openo', today: DAY });
  fake.memory.codes.length = 0;
  for (const [key] of fake.memory.templates) fake.memory.templates.set(key, 'O'.repeat(288));
  for (const row of fake.memory.demographics) Object.assign(row, BORN, { hin: '' });
  const emr: { current: Emr | null } = { current: null };
  const later = new Proxy({} as Emr, {
    get: (_, name) => Reflect.get(emr.current ?? {}, name) as unknown,
  });
  clinic = await testApp({ emr: later, config: { emrAddresses: [fake.base] } });
  const slowly = oscarsAt([fake.base], fakeOscarCredentials).map((oscar) => ({
    ...oscar,
    book: async (...asked: Parameters<typeof oscar.book>) => {
      const first = beforeWrite;
      beforeWrite = null;
      await first?.();
      return oscar.book(...asked);
    },
  }));
  emr.current = emrOn(clinic.platform, slowly, 1);
  await aClinic(clinic.database, { providers: [{ id: '101' }] });
  casey = await anAccount('1');
  token = await signIn(clinic, casey);
  const aDesk = async (role: 'manager' | 'receptionist') =>
    deskSession(clinic, await aStaffMember(clinic, role));
  desks = { manager: await aDesk('manager'), receptionist: await aDesk('receptionist') };
  await sync();
});
afterEach(async () => {
  await clinic.close();
  await fake.stop();
});

/** An account that has a chart; null for one that has none yet. */
async function anAccount(emrId: string | null): Promise<PatientRow> {
  const account = await aPatient(clinic, { primaryDoctor: false, birthDate: '1984-05-17' });
  const { recordId } = account;
  if (emrId !== null)
    await clinic.database.inTransaction((tx) =>
      tx.insert(emrRecord).values({ recordId, emrId, askedAt: 0 }),
    );
  return account;
}
async function sync() {
  clinic.clock.advance(1);
  await syncFromEmr({ ...clinic.platform, appointments, emrBook }, clinic.clock.now());
}
const book = () =>
  ask(clinic, 'createBooking', {
    token,
    body: { doctor: '101', start, end: start + 300, selectedType: 'O', reason: 'A cough' },
  });
const live = () => fake.memory.appointments.filter(({ status }) => status !== 'C');
const ofCharts = () => live().map(({ demographicNo }) => demographicNo);
const look = async (of: PatientRow, body: object, cookie = desks.manager) =>
  askDesk(clinic, 'deskLikelyCharts', {
    cookie,
    params: { id: of.id },
    body: { lookReason: 'patientCalled', ...body },
  });
const decide = (of: PatientRow, chart: string | null, more: object = {}, cookie = desks.manager) =>
  askDesk(clinic, 'deskDecideChart', {
    cookie,
    params: { id: of.id },
    body: { chart, apartFrom: [], ...more },
  });
const chartOf = async ({ recordId }: PatientRow) =>
  (await clinic.database.db.select().from(emrRecord)).find((row) => row.recordId === recordId)
    ?.emrId;
const listed = async () =>
  (await ask(clinic, 'listAppointments', { token }))
    .answer()
    .appointments.map(({ status }) => status);
const drain = () => clinic.platform.outbox.drain();

describe('An account that gets another chart', () => {
  test('is shown beside both, with what it has booked ahead, and the look names whose they are', async () => {
    await book();
    const other = await anAccount('3');
    const reasonless = await askDesk(clinic, 'deskLikelyCharts', {
      cookie: desks.manager,
      params: { id: other.id },
      body: {},
    });
    expect(reasonless.code()).toBe('lookReasonMissing');
    const { extras } = (await look(casey, { chart: '3' })).answer();
    expect(extras.present).toMatchObject({
      number: '1',
      chart: { chart: '1', isOfAnother: false },
    });
    expect(extras.charts).toContainEqual(
      expect.objectContaining({ chart: '3', isOfAnother: true, birthDate: '1984-05-17' }),
    );
    expect(extras.ahead).toMatchObject([{ start }]);
    const [row] = await clinic.trail('charts in the EMR shown');
    expect(row?.details).toMatchObject({
      found: expect.arrayContaining([casey.recordId, other.recordId]) as unknown,
      lookReason: 'patientCalled',
    });
    expect((await look(casey, { chart: '4711' })).code()).toBe('noSuchChart');
  });

  test('has what is booked ahead go along, and its patient hears nothing of it', async () => {
    await book();
    const before = (await clinic.mails()).length;
    expect((await decide(casey, '2')).code()).toBe('hasOtherChart');
    const moves = { appointments: 'move' };
    expect((await decide(casey, '2', moves, desks.receptionist)).code()).toBe(
      'managerChoosesChart',
    );
    for (let again = 0; again < 2; again++) {
      const { extras } = (await decide(casey, '2', moves)).answer();
      expect(extras).toEqual({ chart: '2', moved: again === 0 ? 1 : 0 });
    }
    expect(await clinic.trail('record matched')).toMatchObject([
      { details: { emrId: '2', before: '1', appointments: 'move' } },
    ]);
    // Not moved yet, and neither lacking nor offered to anybody.
    await sync();
    expect([ofCharts(), await listed()]).toEqual([[1], ['booked']]);
    await drain();
    await sync();
    expect([ofCharts(), await listed()]).toEqual([[2], ['booked']]);
    expect(await clinic.mails()).toHaveLength(before);
    expect(await clinic.trail('appointment lacking in the EMR')).toEqual([]);
  });

  test('needs a factor that was shown just before', async () => {
    await book();
    await clinic.database.inTransaction((tx) => tx.update(staffSession).set({ factorAt: 0 }));
    const asked = await decide(casey, '2', { appointments: 'move' });
    expect([asked.code(), await chartOf(casey)]).toEqual(['factorNeeded', '1']);
  });

  test('leaves it where staff say so, and its patient cancels it there', async () => {
    await book();
    (await decide(casey, '2', { appointments: 'stay' })).answer();
    await drain();
    expect(ofCharts()).toEqual([1]);
    const { appointments: all } = (await ask(clinic, 'listAppointments', { token })).answer();
    const params = { id: all[0]?.id ?? '' };
    expect((await ask(clinic, 'cancelAppointment', { token, params })).statusCode).toBe(200);
    expect(live()).toEqual([]);
  });

  test('has the one that stands where the number is of a chart that was merged', async () => {
    const third = fake.memory.demographic(3);
    if (third) third.headRecord = 2;
    const own = await anAccount(null);
    expect((await decide(own, '3')).answer().extras).toEqual({ chart: '2', moved: 0 });
    // Its own chart, merged into another, is no other chart.
    const [first] = fake.memory.demographics;
    if (first) first.headRecord = 4;
    expect((await decide(casey, '4', {}, desks.receptionist)).answer().extras).toEqual({
      chart: '4',
      moved: 0,
    });
  });

  test('has that of a closed account, once nobody can dispute that one', async () => {
    const own = await anAccount(null);
    expect((await decide(own, '1')).code()).toBe('chartOfAnother');
    const withPayments = { ...clinic.platform, heldPayments: { cancel: async () => undefined } };
    const who = { actor: 'staff:robin', now: clinic.clock.now() };
    await closeAccount(withPayments, casey.id, who);
    expect((await decide(own, '1')).code()).toBe('addressUnsettled');
    clinic.clock.advance(72 * 60 * 60);
    const later = { actor: 'clinic:test', now: clinic.clock.now() };
    const chosen = { chosen: '1', apartFrom: [] };
    expect(await decideChart(clinic.platform, own.id, chosen, later)).toMatchObject({ moved: 0 });
    expect([await chartOf(own), await chartOf(casey)]).toEqual(['1', null]);
  });
});

describe('At one moment', () => {
  test('two who choose two charts for one account: one is told that the other was first', async () => {
    const own = await anAccount(null);
    const seen = (await look(own, {})).answer().extras.seen;
    const answers = await Promise.all([
      decide(own, '2', { seen }),
      decide(own, '3', { seen }, desks.receptionist),
    ]);
    expect(answers.map((each) => String(each.statusCode)).toSorted()).toEqual(['200', '409']);
    const second = answers.find(({ statusCode }) => statusCode === 409);
    expect(second?.code()).toBe('changedMeanwhile');
    expect(['2', '3']).toContain(await chartOf(own));
  });

  test('two who choose one chart for two accounts: it is one account’s', async () => {
    const [one, other] = [await anAccount(null), await anAccount(null)];
    const answers = await Promise.all([
      decide(one, '2'),
      decide(other, '2', {}, desks.receptionist),
    ]);
    const refused = answers.filter(({ statusCode }) => statusCode !== 200);
    expect(refused.map((each) => each.code())).toEqual(['chartOfAnother']);
    expect([await chartOf(one), await chartOf(other)].filter(Boolean)).toEqual(['2']);
  });

  test('a patient who books while staff give them another chart is booked under that one', async () => {
    beforeWrite = async () => (await decide(casey, '2', { appointments: 'move' })).answer();
    expect((await book()).statusCode).toBe(200);
    // Written under the chart that was theirs as it was looked up.
    expect(ofCharts()).toEqual([1]);
    clinic.clock.advance(10);
    await drain();
    await sync();
    expect([ofCharts(), await listed()]).toEqual([[2], ['booked']]);
  });

  test('a merge during a booking leaves one appointment, which its patient sees and cancels', async () => {
    beforeWrite = async () => {
      const [first] = fake.memory.demographics;
      if (first) first.headRecord = 2;
    };
    expect((await book()).statusCode).toBe(200);
    await sync();
    expect([live().length, await listed()]).toEqual([1, ['booked']]);
    expect(await clinic.trail('appointment lacking in the EMR')).toEqual([]);
    const { appointments: all } = (await ask(clinic, 'listAppointments', { token })).answer();
    const params = { id: all[0]?.id ?? '' };
    expect((await ask(clinic, 'cancelAppointment', { token, params })).statusCode).toBe(200);
    expect(live()).toEqual([]);
  });
});

test('Whom staff let book is told by email, once, and no word of a chart', async () => {
  const [, second] = fake.memory.demographics;
  Object.assign(second ?? {}, { firstName: 'Robin', lastName: 'Vale' });
  const own = await aPatient(clinic, {
    firstName: 'Robin',
    lastName: 'Vale',
    birthDate: '1984-05-17',
    primaryDoctor: false,
  });
  const body = { id: own.id, familyDoc: '1998', hasFamilyDoc: true };
  const refused = await ask(clinic, 'createDemographics', {
    token: await signIn(clinic, own),
    body,
  });
  expect(refused.refusal().extras.code).toBe('recordUnclear');
  await foldNames(clinic.platform);
  const before = (await clinic.mails()).length;
  for (let again = 0; again < 2; again++) (await decide(own, '2')).answer();
  const mails = (await clinic.mails()).slice(before);
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    [own.email, 'You can book online now - Test Clinic'],
  ]);
  expect(mails[0]?.text).not.toMatch(/chart|record|EMR/i);
});
