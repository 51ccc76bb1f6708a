import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { addDays, toClinic } from '@clinic/domain';
import type { Client } from 'pg';

import type { Chance } from '../chance.ts';
import { startCluster, withDatabase, type Cluster } from '../clinic/cluster.ts';
import { slotsOf } from '../clinic/grid.ts';
import { patientWaits } from '../../../apps/service/testing/patient-waits.ts';
import { type PatientAccount, UNHURRIED_MS, patientOf, pause } from '../clinic/patient.ts';
import type { PreparedClinic } from '../clinic/prepare.ts';
import { runWorkload } from '../clinic/workload.ts';
import { type HistoryWriter, type Slot, readHistory, writeHistory } from '../history.ts';
import { type Finding, slowest } from '../report.ts';
import { FEE, OUTAGES, PAID_TYPE, keepInOscar, openBook, trouble } from './book.ts';
import { openDesk } from './desk.ts';
import { judge, ofNoSite, untilQuiet } from './judge.ts';
import { type Time, timeOf } from './pace.ts';
import { type Place, openReception } from './reception.ts';
import { BOUND_SECONDS, openTold, readTurn } from './told.ts';

export interface StaffNemesisOptions {
  readonly prepared: PreparedClinic;
  readonly patients: number;
  readonly receptionists: number;
  readonly rounds: number;
  /** How many times as fast as the machine's time that of the services goes, at most. */
  readonly hurry: number;
  readonly chance: Chance;
  readonly defects?: readonly string[];
  /** Ends after the round in which a fault of each of these was found. */
  readonly until?: readonly RegExp[];
}

/** What each patient asks in a phase of a round, and how many requests to OSCAR meet a fault in the first one. */
const OPERATIONS_EACH = 10;
const FAULTS_AT_LEAST = 10;
/** How long a patient or a receptionist thinks. */
const THINKING_SECONDS = 10;
/** Who presses this long after OSCAR is back books. */
const BACK_MS = 5_000;
/** after this long nobody decides on what staff deleted. */
const UNDECIDED_SECONDS = 600;
/** So many bookings are under way when a process is killed, its own among them. */
const UNDER_WAY = 4;
/** An OSCAR that is silent for longer counts as away, and nobody books. */
const KILLED_WITHIN_MS = 20_000;
/** Beyond what the clinic confirms for, what a sync of the whole window finds, and any hold. */
const LONG_AFTER = 1_900;
/** How many requests meet a fault, and before how many writes staff take the time; a careless adapter meets more. */
const SHARES = { reads: 0.06, writes: 0.2, overtaken: 0.1 };
const SHARES_OF_CARELESS = { reads: 0, writes: 0.6, overtaken: 0.4 };

/**
 * Patients and receptionists at once on one book, while requests to OSCAR go wrong and a service
 * process is killed: when all is quiet, OSCAR has what we call booked, and everybody was told in time.
 */
export async function staffNemesis(options: StaffNemesisOptions): Promise<Finding> {
  const { prepared, patients, receptionists, rounds, hurry, chance, defects } = options;
  const ms = (seconds: number) => (seconds * 1000) / hurry;
  const shares = defects === undefined ? SHARES : SHARES_OF_CARELESS;
  const accounts = prepared.accounts.slice(0, patients);
  const last = prepared.accounts.findLast(({ onceADay }) => !onceADay);
  if (last === undefined) throw new Error('There is nobody');
  const time = timeOf(hurry);
  const book = await openBook(prepared.accounts.length, {
    now: () => time.pace.epoch,
    lateMs: ms(30),
  });
  const databaseUrl = await prepared.copy();
  await withDatabase(databaseUrl, keepInOscar);

  const running: { cluster?: Cluster; slots: readonly Slot[]; places: readonly Place[] } = {
    slots: [],
    places: [],
  };
  const clusterOf = () => {
    if (running.cluster === undefined) throw new Error('Nothing runs yet');
    return running.cluster;
  };
  const reception = openReception({
    book,
    time,
    places: () => running.places,
    touched: (id) => told.touched(id),
  });
  const overtaking = chance.fork('overtaking');
  const troubles = trouble(book, chance.fork('troubles'), (request) =>
    reception.overtake(overtaking, request, shares.overtaken),
  );
  const told = openTold({
    cluster: clusterOf,
    book,
    time,
    sent: troubles.sent,
    byStaff: () => reception.byStaff,
  });
  const cluster = await startCluster({
    server: prepared.server,
    databaseUrl,
    waits: patientWaits,
    oscar: { base: book.base, pace: time.pace },
    hears: (mail) => told.hears(mail),
    ...(defects === undefined ? {} : { defect: defects.join(', ') }),
  });
  running.cluster = cluster;
  time.begin(cluster);
  told.begin();
  const file = join(tmpdir(), `clinic-staff-${process.pid}-${performance.now().toFixed(0)}.jsonl`);
  const history = writeHistory(file);
  const faults: string[] = [];
  const found = (round: number, what: readonly string[]) =>
    faults.push(...what.map((each) => `Round ${round}: ${each}`));
  const all = () => [...faults, ...told.faults];
  const isCaught = () =>
    options.until?.every((what) => all().some((each) => what.test(each))) ?? false;
  const count = { kills: 0, unsent: 0, rounds: 0 };
  const desk = await openDesk(cluster, time.now);

  const actors = (goesOn: () => boolean, round: number) => {
    const own = chance.fork(`round ${round}`);
    return Promise.all([
      runWorkload({
        patients: accounts.map((account) =>
          patientOf({
            account,
            bases: cluster.bases,
            history,
            chance: own.fork(account.name),
            patienceMs: UNHURRIED_MS,
          }),
        ),
        slots: running.slots,
        chance: own,
        goesOn,
        thinkingMs: THINKING_SECONDS * 1000,
        thinks: (thinkingMs) => time.passes(thinkingMs / 1000),
        visit: `round-${round}-`,
        feeOf: ({ account }, { type }) => (type === PAID_TYPE && !account.onceADay ? FEE : 0),
      }),
      ...Array.from({ length: receptionists }, (_, at) =>
        reception.work(own.fork(`receptionist ${at}`), goesOn, THINKING_SECONDS / 2),
      ),
    ]);
  };

  const insisting = chance.fork('somebody');
  /** Books as soon as OSCAR is back. */
  const somebody = patientOf({
    account: last,
    bases: cluster.bases,
    history,
    chance: insisting,
    patienceMs: UNHURRIED_MS,
  });
  const back: number[] = [];
  const decided = new Map<string, number>();
  const outage = async (number: number) => {
    const kind = OUTAGES[number % OUTAGES.length];
    if (kind === undefined) return;
    told.answers(false);
    kind.begin(book);
    await time.passes(kind.seconds);
    kind.end(book);
    told.answers(true);
    const [from, turns] = [time.pace.steady, told.turns()];
    let pressedMs = 0;
    for (let tries = 1; ; tries += 1) {
      pressedMs = time.pace.steady - from;
      // The service asks every three seconds. Where that takes long, two answered syncs end it.
      const isDue = pressedMs > BACK_MS && told.turns() > turns + 1;
      const slot = insisting.pick(running.slots.filter(({ type }) => type !== PAID_TYPE));
      const { outcome, code = '' } = await somebody.book(slot, `round-${number}-press-${tries}`);
      if (code === 'slotTaken' || code === 'clinicBusy') continue;
      // One that is being confirmed was sent; what else is refused was not for want of OSCAR.
      if (outcome === 'ok' || !['', 'clinicUnreachable', 'clinicRefuses'].includes(code)) break;
      if (isDue) {
        found(number, [`nobody books since an OSCAR that ${kind.name} is back`]);
        break;
      }
      await time.passes(0.5);
    }
    back.push(pressedMs);
  };

  /** Kills a process while bookings are under way of which OSCAR was sent nothing. */
  const kill = async (number: number) => {
    const unsent = () => cluster.ask(unsentHolds);
    told.answers(false);
    book.hang('tomcat');
    const from = time.pace.steady;
    while ((await unsent()) < UNDER_WAY && time.pace.steady < from + KILLED_WITHIN_MS)
      await pause(20);
    cluster.services[number % cluster.services.length]?.kill();
    told.killed(time.now());
    count.kills += 1;
    count.unsent += await unsent();
    book.resume();
    told.answers(true);
  };

  /** The desk keeps some of what staff deleted, cancels some, and leaves the others to end by themselves. */
  const decide = async (number: number, own: Chance) => {
    const list = await desk.list();
    for (const id of told.atDesk) {
      if (!list.includes(id)) found(number, [`The desk's list lacks ${id}, which is gone`]);
      const is = own.pick(['kept', 'cancelled', null] as const);
      const status = is === null ? 200 : await desk.decide(id, is);
      if (status !== 200) found(number, [`The desk cannot decide on ${id}: ${status}`]);
      decided.set(is ?? 'undecided', (decided.get(is ?? 'undecided') ?? 0) + 1);
      told.decided(id, is === 'kept' ? 'kept' : 'ended');
    }
    time.leap(UNDECIDED_SECONDS);
    await told.all();
  };

  const round = async (number: number) => {
    running.slots = await freshSlots(cluster, accounts, time, number);
    running.places = placesOf(running.slots);
    const own = chance.fork(`kills ${number}`);
    const phase = accounts.length * OPERATIONS_EACH;
    let isOver = false;
    const acting = actors(() => !isOver, number);
    Object.assign(troubles.shares, shares);
    told.answers(false);
    await Promise.all([more(phase, history.count), more(FAULTS_AT_LEAST, () => sum(troubles.met))]);
    Object.assign(troubles.shares, { reads: 0, writes: 0 });
    book.switches.nextWrite = 'none';
    told.answers(true);
    if (defects === undefined) await outage(number);
    const beforeKill = own.between(0, phase);
    await more(beforeKill, history.count);
    await kill(number);
    await more(phase - beforeKill, history.count);
    isOver = true;
    await acting;
    book.landLate();
    await told.all();
    count.rounds += 1;
    found(number, ofNoSite(book, reception));
    if (isCaught()) return;
    await cluster.heal();
    await decide(number, own);
    time.leap(LONG_AFTER);
    const left = await untilQuiet(cluster, time);
    if (left !== null)
      found(number, [
        `never quiet: ${left}`,
        ...cluster.services.map(({ name, lastWords }) => `${name} said last: ${lastWords()}`),
      ]);
    await told.all();
    const now = time.now();
    found(
      number,
      await cluster.ask((database) => judge(database, book, reception, { now, kept: told.kept })),
    );
    reception.cancelAll();
    await told.all();
  };

  try {
    for (let number = 1; number <= rounds; number += 1) {
      await round(number);
      if (isCaught()) break;
    }
  } finally {
    await told.stop();
    await time.stop();
    await cluster.stop();
    await book.stop();
    history.close();
  }
  return {
    title: `Staff nemesis: ${accounts.length} patients, ${receptionists} receptionists, ${count.rounds} rounds, time ${hurry} times as fast`,
    lines: [
      `${reported(history, file)}; ${count.kills} × kill -9, ${count.unsent} bookings under way then`,
      `staff ${listed(reception.deeds)}; faults ${listed(troubles.met)}`,
      `OSCAR away ${back.length} times; who pressed after ${inSeconds(back)} booked`,
      `the desk's list has what was deleted after ${inSeconds(told.took.lists)}; ${listed(decided)}`,
      `told ${told.took.emails.length} times: tables after ${inSeconds(told.took.tables)}, email after ${inSeconds(told.took.emails)}, bound ${BOUND_SECONDS} s`,
    ],
    faults: [...all(), ...cluster.services.flatMap(({ ownEnds, leaks }) => [...ownEnds, ...leaks])],
  };
}

/** How many holds there are of which the EMR was sent nothing yet. */
async function unsentHolds(database: Client): Promise<number> {
  const { rowCount } = await database.query(
    `select from appointment where state = 'held' and confirming and emr_unsent_until_s is not null`,
  );
  return rowCount ?? 0;
}

const sum = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((all, each) => all + each, 0);

/** Waits until there are so many more than now. */
async function more(count: number, counted: () => number): Promise<void> {
  const from = counted();
  while (counted() < from + count) await pause(20);
}

/** Days that no round had before, far enough ahead for every rule, once the sync has read them. */
async function freshSlots(
  cluster: Cluster,
  accounts: readonly PatientAccount[],
  time: Time,
  round: number,
): Promise<readonly Slot[]> {
  const from = addDays(toClinic(time.now()).date, 3 + (round % 2) * 2);
  const span = { from, to: addDays(from, 1) };
  await cluster.ask((database) =>
    database.query('update session set created_at_s = $1, last_active_at_s = $1', [time.now()]),
  );
  const [base] = cluster.bases;
  const token = accounts[0]?.token;
  if (base === undefined || token === undefined) throw new Error('There is nobody to ask');
  for (let tries = 0; tries < 600; tries += 1) {
    // What is booked before the first sync counts as booked before the clinic had OSCAR.
    const isSynced = (await cluster.ask(readTurn)) !== null;
    const ofEach = await Promise.all(
      ['O', PAID_TYPE, 'T15'].map((type) => slotsOf(base, token, type, span)),
    );
    if (
      isSynced &&
      ofEach.every((slots) => new Set(slots.map(({ provider }) => provider)).size === 3)
    )
      return ofEach.flat().sort((one, other) => one.start - other.start);
    await time.passes(1);
  }
  throw new Error('The schedule of OSCAR did not come');
}

const placesOf = (slots: readonly Slot[]): readonly Place[] =>
  slots.map(({ provider, start, date }) => {
    const [hours = 0, minutes = 0] = toClinic(start).time.split(':').map(Number);
    return { providerNo: provider, date, start: hours * 60 + minutes };
  });

function reported(history: HistoryWriter, file: string): string {
  const operations = readHistory(file);
  const done = operations.filter(({ outcome }) => outcome === 'ok').length;
  rmSync(file);
  const refusals = new Map<string, number>();
  for (const { call, code, outcome } of operations)
    if (outcome !== 'ok') {
      const why = `${call} ${code ?? outcome}`;
      refusals.set(why, (refusals.get(why) ?? 0) + 1);
    }
  return `${operations.length} operations, ${done} done: ${history.done('book')} booked, ${history.done('reschedule')} moved, ${history.done('cancel')} cancelled; not done ${listed(refusals)}`;
}

const listed = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([what, count]) => `${what} ${count}`).join(', ');

function inSeconds(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `${(median / 1000).toFixed(1)} s, at most ${(slowest(times) / 1000).toFixed(1)} s`;
}
