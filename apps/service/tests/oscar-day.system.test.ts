import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';

import { createOscar, providerNo } from '@clinic/oscar';
import {
  type AppointmentRow,
  type FakeOscar,
  bookByStaff,
  moveByStaff,
  startFakeOscar,
} from '@clinic/oscar/fake';
import { addDays, datesOf, startOfDay, toInstant } from '@clinic/domain';
import { mulberry32 } from '@clinic/practice/appointments.ts';
import { fakeOscarCredentials } from '@clinic/practice/emr/fake-oscar.ts';

import { aPatientRow } from '../testing/a-clinic.ts';
import { ask } from '../testing/ask.ts';
import { violations } from '../testing/invariants.ts';
import { typesAndFees } from '../testing/rows.ts';
import { signIn } from '../testing/sign-in.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { unlimitedRates } from '../testing/test-config.ts';
import { testDatabase } from '../testing/test-database.ts';
import { providerPolicy } from '../src/schema.ts';
import { PER_MINUTE } from '../src/adapters/emr-oscar/connection.ts';
import { jobsOf } from '../src/jobs.ts';
import { emrOn } from '../src/open-emr.ts';

const TODAY = '2026-12-15';
const PROVIDERS = Array.from({ length: 20 }, (_, at) => String(101 + at));
const OPENS = '08:00';
const WINDOW_DAYS = 92;
/** How far ahead what is booked and changed stands. */
const DAYS_AHEAD = 60;
const TEMPLATE = `${'_'.repeat(96)}${'O'.repeat(120)}${'_'.repeat(72)}`;
const RECORDS_FROM = 9_000;
/** How long OSCAR takes for each request, one after the other. */
const REQUEST_MS = 100;

/** With LONG a whole day from midnight on, else a quarter of an hour before the clinic opens and what follows. */
const day =
  process.env['LONG'] === '1'
    ? { from: '00:00', hours: 24, open: 10, bookings: 400, edits: 150, most: 70_000 }
    : { from: '07:45', hours: 1, open: 0.75, bookings: 30, edits: 12, most: 5_500 };

interface Place {
  readonly providerNo: string;
  readonly date: string;
  /** Minutes of the day. */
  readonly start: number;
}

/** What staff did, until the grid that patients see has all of it. */
interface Edit {
  readonly row: AppointmentRow;
  readonly at: number;
  readonly cells: readonly (Place & { readonly isTaken: boolean })[];
}

// Shows: R-94
test(`in ${day.hours} h of 20 providers, ${day.bookings} bookings and ${day.edits} changes by staff OSCAR is asked for little, and patients see each change soon`, async () => {
  const chance = mulberry32(20_261_215);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(chance() * items.length)];
    if (item === undefined) throw new Error('There is nothing to choose from');
    return item;
  };
  const began = toInstant(TODAY, day.from) * 1_000;
  let at = began;
  const { clinic, fake } = await open(() => at);
  const { memory, calls } = fake;
  const passes = (to: number) => {
    at = Math.max(at, to);
    clinic.clock.set(Math.floor(at / 1_000));
  };
  fake.switches.meets = () => {
    passes(at + REQUEST_MS);
    return 'none';
  };

  const live = () => memory.appointments.filter(({ status }) => status !== 'C');
  const place = (): Place => {
    const wanted = {
      providerNo: pick(PROVIDERS),
      date: addDays(TODAY, 1 + Math.floor(chance() * DAYS_AHEAD)),
      start: 8 * 60 + 5 * Math.floor(chance() * 118),
    };
    const overlaps = (row: AppointmentRow) =>
      row.providerNo === wanted.providerNo &&
      row.date === wanted.date &&
      row.start < (wanted.start + 10) * 60 &&
      wanted.start * 60 <= row.end;
    return live().some(overlaps) ? place() : wanted;
  };

  let patients = 0;
  async function book() {
    const demographicNo = RECORDS_FROM + patients++;
    memory.demographics.push({ ...somebody, demographicNo });
    const id = await aPatientRow(clinic.database, { recordId: String(demographicNo) });
    const { providerNo: doctor, date, start } = place();
    const from = startOfDay(date) + start * 60;
    const body = { doctor, start: from, end: from + 300, selectedType: 'O', reason: 'A cough' };
    const token = await signIn(clinic, { id });
    (await ask(clinic, 'createBooking', { token, body })).answer();
  }

  const pending: Edit[] = [];
  const cellOf = (row: AppointmentRow, isTaken: boolean) => ({
    providerNo: row.providerNo,
    date: row.date,
    start: row.start / 60,
    isTaken,
  });
  async function edit() {
    const does = chance();
    const rows = live();
    if (does < 0.5 || rows.length === 0) {
      const to = place();
      const row = bookByStaff(memory, { ...to, minutes: 10, demographicNo: RECORDS_FROM });
      pending.push({ row, at, cells: [{ ...to, isTaken: true }] });
      return;
    }
    // What they do twice in a moment nobody sees but for the last.
    const row = pick(rows.filter((each) => pending.every((other) => other.row !== each)));
    const left = cellOf(row, false);
    if (does < 0.75) {
      moveByStaff(memory, row, place());
      pending.push({ row, at, cells: [left, cellOf(row, true)] });
    } else {
      memory.change(row, { status: 'C' });
      pending.push({ row, at, cells: [left] });
    }
  }

  const watcher = await aPatientRow(clinic.database);
  const shows = async (cells: Edit['cells']) => {
    const token = await signIn(clinic, { id: watcher });
    for (const { providerNo: id, date, start, isTaken } of cells) {
      const query = { from: date, to: date, id };
      const [found] = (await ask(clinic, 'doctorSchedule', { token, query })).answer().extras;
      const booked = found?.providers[0]?.booked ?? [];
      const cell = startOfDay(date) + start * 60;
      if (booked.some((each) => each.start === cell) !== isTaken) return false;
    }
    return true;
  };
  const waits: number[] = [];
  async function look() {
    for (const each of pending.splice(0))
      if (await shows(each.cells)) waits.push(Math.round((at - each.at) / 100) / 10);
      else pending.push(each);
  }

  const sum = () => sumOf(fake);
  const opens = toInstant(TODAY, OPENS) * 1_000;
  const during = (count: number, work: () => Promise<void>) =>
    Array.from({ length: count }, () => ({ at: opens + chance() * day.open * 3_600_000, work }));
  const agenda = [...during(day.bookings, book), ...during(day.edits, edit)].sort(
    (one, other) => one.at - other.at,
  );
  // The other jobs ask an EMR only about what went wrong.
  const sync = jobsOf(clinic.platform).find(({ name }) => name === 'emr');
  if (sync === undefined) throw new Error('There is no job that syncs');
  const looks = { at, everyMs: sync.everyMs, work: sync.work };
  const closes = began + day.hours * 3_600_000;
  for (;;) {
    const [first = looks] = agenda;
    const next = first.at < looks.at ? first : looks;
    if (next.at >= closes) break;
    passes(next.at);
    const before = sum();
    await next.work();
    if (next !== looks) agenda.shift();
    else {
      looks.at = at + looks.everyMs;
      if (pending.length > 0 && sum() > before) await look();
    }
  }

  const sorted = waits.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Infinity;
  const worst = sorted.at(-1) ?? Infinity;
  const kinds = [...calls].sort(([, one], [, other]) => other - one);
  process.stdout.write(
    `${sum()} calls in ${day.hours} hours: ${kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')}\n` +
      `From a change by staff to the grid: median ${median} s, at worst ${worst} s, of ${waits.length}\n`,
  );
  expect(pending).toEqual([]);
  expect(await violations(clinic.database.db, clinic.clock.now())).toEqual([]);
  expect(sum()).toBeLessThanOrEqual(day.most);
  expect(median).toBeLessThanOrEqual(20);
  expect(worst).toBeLessThanOrEqual(60);
}, 900_000);

const placeOfStaff = { providerNo: '102', date: addDays(TODAY, 1), start: 9 * 60 };
const sumOf = ({ calls }: FakeOscar) => [...calls.values()].reduce((all, count) => all + count, 0);

/** What ends before OSCAR is back, and how long a request waits for nothing meanwhile. */
const outages: readonly (readonly [
  name: string,
  waitMs: number,
  act: (fake: FakeOscar, isOver: boolean) => void,
])[] = [
  ['starts, takes requests and answers none for a minute', 8_000, (fake) => fake.restart()],
  ['is down', 10, ({ switches }, isOver) => (switches.isDown = !isOver)],
  ['has no database', 10, ({ switches }, isOver) => (switches.database = isOver ? 'up' : 'down')],
  ['limits requests', 10, ({ switches }, isOver) => (switches.tooMany = !isOver)],
];

// Shows: R-94
test.each(outages)(
  'once an OSCAR that %s is back, the first patient books within 5 s, without a hand',
  async (_, waitMs, act) => {
    let at = toInstant(TODAY, '10:00') * 1_000;
    const { clinic, fake } = await open(() => at, PROVIDERS.slice(0, 2));
    const passes = (ms: number) => {
      at += ms;
      clinic.clock.set(Math.floor(at / 1_000));
    };
    let isAway = false;
    fake.switches.meets = () => {
      passes(isAway ? waitMs : REQUEST_MS);
      return isAway && waitMs > REQUEST_MS ? 'cutAfter' : 'none';
    };
    fake.memory.demographics.push({ ...somebody, demographicNo: RECORDS_FROM });
    const id = await aPatientRow(clinic.database, { recordId: String(RECORDS_FROM) });
    const token = await signIn(clinic, { id });
    const from = startOfDay(addDays(TODAY, 1)) + 9 * 3_600;
    const time = { doctor: '101', start: from, end: from + 300, selectedType: 'O' };
    const book = () =>
      ask(clinic, 'createBooking', { token, body: { ...time, reason: 'A cough' } });
    const sync = jobsOf(clinic.platform).find(({ name }) => name === 'emr');
    if (sync === undefined) throw new Error('There is no job that syncs');
    const next = async () => {
      await sync.work();
      passes(sync.everyMs);
    };
    const after = (since: number) => at - since;
    const began = at;
    while (after(began) < 10_000) await next();

    act(fake, false);
    isAway = true;
    while (after(began) < 80_000) await next();
    expect((await book()).refusal().extras.code).toBe('clinicUnreachable');
    // OSCAR is back at the worst moment: it was asked just now.
    const asked = sumOf(fake);
    while (sumOf(fake) === asked) await next();
    isAway = false;
    act(fake, true);
    const { memory } = fake;
    bookByStaff(memory, { ...placeOfStaff, minutes: 10, demographicNo: RECORDS_FROM });
    const backAt = at;
    while ((await book()).statusCode !== 200 && after(backAt) < 120_000) await next();
    expect(after(backAt)).toBeLessThanOrEqual(5_000);
  },
);

// Shows: R-120
test('20 providers at rest, with appointments each day, and while staff delete 60 of them, OSCAR is asked for at most 5 calls a second', async () => {
  let at = toInstant(TODAY, '09:00') * 1_000;
  const { clinic, fake } = await open(() => at);
  const { memory, calls } = fake;
  const sync = jobsOf(clinic.platform).find(({ name }) => name === 'emr');
  const sum = () => [...calls.values()].reduce((all, count) => all + count, 0);
  /** The most calls of a minute, and those of each. */
  async function rests(minutes: number): Promise<{ most: number; aMinute: number }> {
    const [began, turns] = [sum(), minutes * 3];
    let most = 0;
    for (let turn = 0, before = began; turn < turns; turn += 1) {
      at += 20_000;
      clinic.clock.set(Math.floor(at / 1_000));
      await sync?.work();
      if (turn % 3 !== 2) continue;
      most = Math.max(most, sum() - before);
      before = sum();
    }
    return { most, aMinute: (sum() - began) / minutes };
  }
  // Until the templates of the whole window are read.
  await rests(15);
  for (let each = 0; each < 60; each += 1) {
    const demographicNo = RECORDS_FROM + each;
    memory.demographics.push({ ...somebody, demographicNo });
    const id = await aPatientRow(clinic.database, { recordId: String(demographicNo) });
    const from = toInstant(addDays(TODAY, 1 + (each % 7)), '08:00') + 600 * Math.floor(each / 20);
    const doctor = PROVIDERS[each % 20] ?? '';
    const body = { doctor, start: from, end: from + 300, selectedType: 'O', reason: 'A cough' };
    (await ask(clinic, 'createBooking', { token: await signIn(clinic, { id }), body })).answer();
  }
  const rest = await rests(30);
  memory.appointments.length = 0;
  const deleted = await rests(10);
  process.stdout.write(
    `At rest ${rest.aMinute.toFixed(1)} calls a minute, ${rest.most} in one; 60 deleted at once, ${deleted.most} in one\n`,
  );
  expect(rest.aMinute).toBeLessThanOrEqual(60);
  expect(Math.max(rest.most, deleted.most)).toBeLessThanOrEqual(300);
  const { rows } = await clinic.database.db.execute(
    sql`select from emr_gone where listed_at_s is not null`,
  );
  expect(rows).toHaveLength(60);
}, 300_000);

const somebody = {
  firstName: 'Nell',
  lastName: 'Harper',
  sex: 'F',
  dobYear: '1990',
  dobMonth: '01',
  dobDay: '01',
  hin: '',
  hcType: 'BC',
  providerNo: '',
  patientStatus: 'AC',
  email: '',
  phone: '',
};

/** A clinic whose book an OSCAR keeps, both at the time of `now` in milliseconds. */
async function open(
  now: () => number,
  providers = PROVIDERS,
): Promise<{ clinic: TestApp; fake: FakeOscar }> {
  const fake = await startFakeOscar({ profile: 'classic', today: TODAY, now });
  onTestFinished(() => fake.stop());
  const { memory } = fake;
  for (const rows of [memory.providers, memory.demographics, memory.codes]) rows.length = 0;
  memory.templates.clear();
  const code = { id: 1, code: 'O', description: 'Visit', duration: '', confirm: 'N' };
  memory.codes.push({ ...code, bookinglimit: 1 });
  for (const no of providers) {
    memory.providers.push({ providerNo: no, firstName: 'A', lastName: `Stone${no}`, status: '1' });
    for (const date of datesOf({ from: TODAY, to: addDays(TODAY, WINDOW_DAYS) }))
      memory.templates.set(`${no} ${date}`, TEMPLATE);
  }
  const { client: consumer, token, login: soap, hidden, programId } = fakeOscarCredentials;
  const oscar = createOscar({
    base: fake.base,
    rest: { consumer, token },
    soap,
    hiddenProviders: hidden.map(providerNo),
    perMinute: PER_MINUTE,
    now,
  });
  const database = await testDatabase();
  const seconds = () => Math.floor(now() / 1_000);
  const clock = { now: seconds };
  const clinic = await testApp({
    database,
    now: seconds(),
    emr: emrOn({ database, clock }, [oscar], programId),
    config: { rates: unlimitedRates() },
  });
  onTestFinished(() => clinic.close());
  // They go by the time of the day.
  for (const { name } of jobsOf(clinic.platform)) await clinic.app.stopJob(name);
  await typesAndFees(clinic);
  const shown = providers.map((no) => ({ providerId: no, hidden: false }));
  await database.inTransaction((tx) => tx.insert(providerPolicy).values(shown));
  return { clinic, fake };
}
