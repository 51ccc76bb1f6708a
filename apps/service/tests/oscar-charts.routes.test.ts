import { addDays, datesOf, startOfDay, toClinic } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { createOscar, providerNo } from '@clinic/oscar';
import { type FakeOscar, startFakeOscar } from '@clinic/oscar/fake';
import { fakeOscarCredentials } from '@clinic/practice/emr/fake-oscar.ts';
import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';

import { ask } from '../testing/ask.ts';
import { violations } from '../testing/invariants.ts';
import { KINDS, type Person, addCharts, personAt } from '../testing/oscar-charts.ts';
import { type PatientRow, aPatient, typesAndFees } from '../testing/rows.ts';
import { signIn } from '../testing/sign-in.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { unlimitedRates } from '../testing/test-config.ts';
import { testDatabase } from '../testing/test-database.ts';
import { jobsOf } from '../src/jobs.ts';
import { unclearPatients } from '../src/modules/patients/likely.store.ts';
import { chartOfRecord } from '../src/modules/records/index.ts';
import { emrOn } from '../src/open-emr.ts';
import { patient, providerPolicy } from '../src/schema.ts';

const [SIGN_UPS, MERGES] = process.env['LONG'] === '1' ? [2_000, 40] : [20, 3];
const DOCTOR = '101';
const { date: TODAY } = toClinic(NOW);
const DAYS = datesOf({ from: addDays(TODAY, 1), to: addDays(TODAY, 8) });
const TEMPLATE = `${'_'.repeat(96)}${'O'.repeat(120)}${'_'.repeat(72)}`;
const STEP_SECONDS = 300;
/** When staff merge a chart into another: before its patient books, as OSCAR writes it, or after. */
const WHEN = ['before', 'while', 'after'] as const;

// Shows: R-94
test(`${SIGN_UPS} sign-ups among the charts that a clinic has open no second chart, and who is not sure waits for staff`, async () => {
  const { clinic, fake } = await open();
  const { memory } = fake;
  const people = await Promise.all(
    Array.from({ length: SIGN_UPS }, async (_, at) => {
      const kind = KINDS[at % KINDS.length];
      if (kind === undefined) throw new Error('There are kinds');
      const person = personAt(at);
      const charts = addCharts(fake.memory, person, kind.charts(person, at));
      return { kind, person, charts, account: await anAccount(clinic, person, kind.hasNoCard) };
    }),
  );
  const before = memory.demographics.length;

  const wrong: string[] = [];
  for (const [at, { kind, person, charts, account }] of people.entries()) {
    const opened = memory.demographics.length;
    const token = await signIn(clinic, account);
    const says = () =>
      ask(clinic, 'createDemographics', {
        token,
        body: { id: account.id, familyDoc: '1998', hasFamilyDoc: true },
      });
    // Some press twice.
    const [answer] = await Promise.all(at % 2 === 0 ? [says()] : [says(), says()]);
    const chart = await chartOfRecord(clinic.database.db, account.recordId);
    const made = memory.demographics.slice(opened);
    const ends = { code: answer?.statusCode, chart, made: made.length };
    const wanted = {
      theirs: { code: 200, chart: charts.at(-1), made: 0 },
      new: { code: 200, chart: String(made[0]?.demographicNo), made: 1 },
    };
    const expected =
      kind.ends === 'theirs' || kind.ends === 'new'
        ? wanted[kind.ends]
        : { code: 409, chart: null, made: 0 };
    if (JSON.stringify(ends) !== JSON.stringify(expected))
      wrong.push(`${person.cardNumber}, ${kind.what}: ${JSON.stringify(ends)}`);
  }

  const listed = await unclearPatients(clinic.database.db, SIGN_UPS);
  const why = new Map(listed.map((each) => [each.id, each.why]));
  const unsure = people.filter(({ kind }) => kind.ends !== 'theirs' && kind.ends !== 'new');
  const created = people.filter(({ kind }) => kind.ends === 'new').length;
  process.stdout.write(
    `${SIGN_UPS} sign-ups, ${before} charts: ${SIGN_UPS - created - unsure.length} found theirs, ${created} got a new one, ${listed.length} wait for staff; ${memory.demographics.length - before - created} second charts\n`,
  );
  expect(wrong).toEqual([]);
  expect(memory.demographics.length - before).toBe(created);
  expect(why).toEqual(new Map(unsure.map(({ account, kind }) => [account.id, kind.ends])));
}, 7_200_000);

// Shows: R-94
test(`${MERGES} charts that staff merge before, while and after their patients book lose and double nothing`, async () => {
  const { clinic, fake } = await open();
  const { memory, switches } = fake;
  const sync = jobsOf(clinic.platform).find(({ name }) => name === 'emr');
  const minute = async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      clinic.clock.advance(20);
      await sync?.work();
    }
  };
  await minute();
  const merged = (from: string, into: string) => {
    const row = memory.demographic(from);
    if (row === undefined) throw new Error('There is a chart');
    row.headRecord = Number(into);
  };
  const book = async (token: string, at: number) => {
    const start = startOfDay(DAYS[at % DAYS.length] ?? '') + 8 * 3_600 + at * STEP_SECONDS;
    const time = { doctor: DOCTOR, start, end: start + STEP_SECONDS, selectedType: 'O' };
    const made = await ask(clinic, 'createBooking', {
      token,
      body: { ...time, reason: 'A cough' },
    });
    return made.answer().extras.appointment.id;
  };
  const booked: { readonly id: string; readonly token: string; readonly on: string }[] = [];
  for (let at = 0; at < MERGES; at += 1) {
    const when = WHEN[at % WHEN.length];
    const person = personAt(at);
    const [from = '', into = ''] = addCharts(fake.memory, person, [{ hin: person.cardNumber }, {}]);
    const account = await anAccount(clinic, person);
    const token = await signIn(clinic, account);
    const body = { id: account.id, familyDoc: '1998', hasFamilyDoc: true };
    if (when === 'before') merged(from, into);
    (await ask(clinic, 'createDemographics', { token, body })).answer();
    if (when === 'while')
      switches.meets = ({ name }) => {
        if (/addAppointment/.test(name)) merged(from, into);
        return 'none';
      };
    const first = await book(token, 2 * at);
    switches.meets = () => 'none';
    if (when === 'after') merged(from, into);
    const later = await book(token, 2 * at + 1);
    booked.push(
      { id: first, token, on: when === 'before' ? into : from },
      { id: later, token, on: into },
    );
  }
  for (let minutes = 0; minutes < 3; minutes += 1) await minute();

  const inOscar = () =>
    booked.map(({ id }) =>
      memory.appointments
        .filter(({ notes }) => notes.includes(`[claim:${id}]`))
        .map(({ demographicNo, status }) => `${status} of ${demographicNo}`),
    );
  expect(inOscar()).toEqual(booked.map(({ on }) => [`t of ${on}`]));
  const trail = (await clinic.trail()).map(({ action }) => action);
  expect(trail.filter((action) => action === 'appointment lacking in the EMR')).toEqual([]);
  for (const { id, token } of booked)
    (await ask(clinic, 'cancelAppointment', { token, params: { id } })).answer();
  await minute();
  expect(inOscar()).toEqual(booked.map(({ on }) => [`C of ${on}`]));
  expect(await violations(clinic.database.db, clinic.clock.now())).toEqual([]);
  process.stdout.write(
    `${MERGES} merges before, while and after a booking: ${booked.length} appointments, each once in OSCAR and cancelled there\n`,
  );
}, 7_200_000);

// Shows: R-94
test('an account whose chart staff merge into that of another waits for staff until one closes, or the charts are parted', async () => {
  const { clinic, fake } = await open();
  const { database, clock } = clinic;
  const { memory } = fake;
  const jobs = jobsOf(clinic.platform);
  const named = (name: string) => jobs.find((job) => job.name === name);
  await named('emr')?.work();
  const people = await Promise.all(
    [0, 1].map(async (at) => {
      const person = personAt(at);
      const [chart = ''] = addCharts(fake.memory, person, [{ hin: person.cardNumber }]);
      const account = await anAccount(clinic, person);
      const token = await signIn(clinic, account);
      const body = { id: account.id, familyDoc: '1998', hasFamilyDoc: true };
      (await ask(clinic, 'createDemographics', { token, body })).answer();
      return { account, chart, token };
    }),
  );
  const [first, second] = people;
  if (!first || !second) throw new Error('There are two');
  const merge = (chart: string, into: string | null) => {
    const row = memory.demographic(chart);
    if (row === undefined) throw new Error('There is a chart');
    if (into === null) delete row.headRecord;
    else row.headRecord = Number(into);
  };
  /** Who waits after a round; the turn after its last chart begins the next. */
  const waiting = async () => {
    for (let minutes = 0; minutes <= people.length; minutes += 1) {
      clock.advance(60);
      await named('merged-charts')?.work();
    }
    const listed = await unclearPatients(database.db, SIGN_UPS);
    return listed.map(({ id, why }) => `${id} ${why}`).toSorted();
  };
  expect(await waiting()).toEqual([]);

  merge(second.chart, first.chart);
  expect(await waiting()).toEqual([`${second.account.id} merged`]);
  expect(await waiting()).toHaveLength(1);
  expect(await clinic.trail('record waits for staff')).toMatchObject([
    { subject: `record:${second.account.recordId}`, details: { why: 'merged' } },
  ]);
  const start = startOfDay(DAYS[0] ?? '') + 8 * 3_600;
  const time = { doctor: DOCTOR, start, end: start + STEP_SECONDS, selectedType: 'O' };
  const body = { ...time, reason: 'A cough' };
  (await ask(clinic, 'createBooking', { token: second.token, body })).answer();

  merge(second.chart, null);
  expect(await waiting()).toEqual([]);
  merge(second.chart, first.chart);
  expect(await waiting()).toHaveLength(1);

  const close = { closedAt: clock.now() };
  await database.inTransaction((tx) =>
    tx.update(patient).set(close).where(eq(patient.id, first.account.id)),
  );
  expect(await waiting()).toEqual([]);
});

/** An account as signing up leaves it: without a record. */
const anAccount = (
  clinic: TestApp,
  { firstName, lastName, birthDate, cardNumber }: Person,
  hasNoCard = false,
): Promise<PatientRow> =>
  aPatient(clinic, {
    firstName,
    lastName,
    birthDate,
    primaryDoctor: false,
    ...(hasNoCard ? { cardProvince: 'Other', cardNumber: '' } : { cardNumber }),
  });

async function open(): Promise<{ readonly clinic: TestApp; readonly fake: FakeOscar }> {
  const database = await testDatabase();
  const clocks: TestApp['clock'][] = [];
  const now = () => clocks[0]?.now() ?? NOW;
  const fake = await startFakeOscar({ profile: 'openo', today: TODAY, now: () => now() * 1_000 });
  onTestFinished(() => fake.stop());
  const { memory } = fake;
  for (const rows of [memory.providers, memory.demographics, memory.codes]) rows.length = 0;
  memory.providers.push({
    providerNo: DOCTOR,
    firstName: 'Amelia',
    lastName: 'Stone',
    status: '1',
  });
  memory.templates.clear();
  const code = { id: 1, code: 'O', description: 'Visit', duration: '', confirm: 'N' };
  memory.codes.push({ ...code, bookinglimit: 1 });
  for (const date of DAYS) memory.templates.set(`${DOCTOR} ${date}`, TEMPLATE);
  const { client: consumer, token, login: soap, hidden, programId } = fakeOscarCredentials;
  const oscar = createOscar({
    base: fake.base,
    rest: { consumer, token },
    soap,
    hiddenProviders: hidden.map(providerNo),
    // The clock stands still.
    perMinute: 1_000_000,
  });
  const clinic = await testApp({
    database,
    emr: emrOn({ database, clock: { now } }, [oscar], programId),
    config: { rates: unlimitedRates() },
  });
  onTestFinished(() => clinic.close());
  clocks.push(clinic.clock);
  for (const { name } of jobsOf(clinic.platform)) await clinic.app.stopJob(name);
  await typesAndFees(clinic);
  await database.inTransaction((tx) =>
    tx.insert(providerPolicy).values({ providerId: DOCTOR, hidden: false }),
  );
  return { clinic, fake };
}
