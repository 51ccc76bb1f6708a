import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { addDays, toClinic } from '@clinic/domain';

import type { Chance } from '../chance.ts';
import { startCluster, withDatabase, type Cluster } from '../clinic/cluster.ts';
import { slotsOf } from '../clinic/grid.ts';
import { patientWaits } from '../../../apps/service/testing/patient-waits.ts';
import type { Careless, Turn } from '../../../apps/service/testing/on-oscar.ts';
import { type PatientAccount, patientOf, pause } from '../clinic/patient.ts';
import type { PreparedClinic } from '../clinic/prepare.ts';
import { runWorkload } from '../clinic/workload.ts';
import { type HistoryWriter, type Slot, readHistory, writeHistory } from '../history.ts';
import { type Finding, slowest } from '../report.ts';
import {
  FEE,
  OUTAGES,
  PAID_TYPE,
  type Pace,
  keepInOscar,
  nowAt,
  openBook,
  trouble,
} from './book.ts';
import { judge } from './judge.ts';
import { type Place, openReception } from './reception.ts';
import { openTold } from './told.ts';

export interface StaffNemesisOptions {
  readonly prepared: PreparedClinic;
  readonly patients: number;
  readonly receptionists: number;
  readonly rounds: number;
  /** How many times as fast the services' time goes: 10 makes every interval a tenth, and the bound 6 s. */
  readonly hurry: number;
  readonly chance: Chance;
  readonly defect?: Careless;
  /** Ends after the round in which such a fault was found. */
  readonly until?: RegExp;
}

/** what staff do reaches the patient within a minute. */
const BOUND_SECONDS = 60;
/** Where time is hurried, the services' own work is not: then everybody is told, and the minute is printed. */
const HURRIED_BOUND_SECONDS = 600;
/** Of an email that a process which died had in its hands. */
const OUTBOX_LEASE_SECONDS = 30;
/** What each patient asks in a phase of a round, and how many requests to OSCAR meet a fault in the first one. */
const OPERATIONS_EACH = 10;
const FAULTS_AT_LEAST = 10;
/** How long a patient or a receptionist thinks. */
const THINKING_SECONDS = 10;
/** How often it is asked whether all is quiet: of what never ends alone more often. */
const LOOKS_AT_MOST = 3_000;
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
  const { prepared, patients, receptionists, rounds, hurry, chance, defect } = options;
  const ms = (seconds: number) => (seconds * 1000) / hurry;
  const boundMs = ms(hurry === 1 ? BOUND_SECONDS : HURRIED_BOUND_SECONDS);
  const shares = defect === undefined ? SHARES : SHARES_OF_CARELESS;
  const accounts = prepared.accounts.slice(0, patients);
  const pace: Pace = { hurry, since: Date.now(), movedOn: 0 };
  const book = await openBook(prepared.accounts.length, ms(30));
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
    sent: troubles.sent,
    byStaff: () => reception.byStaff,
    boundMs,
    leaseMs: ms(OUTBOX_LEASE_SECONDS),
  });
  const cluster = await startCluster({
    server: prepared.server,
    databaseUrl,
    waits: patientWaits,
    oscar: { base: book.base, ...pace },
    hears: (mail) => told.hears(mail),
    ...(defect === undefined ? {} : { defect }),
  });
  running.cluster = cluster;
  told.begin();
  const file = join(tmpdir(), `clinic-staff-${process.pid}-${performance.now().toFixed(0)}.jsonl`);
  const history = writeHistory(file);
  const faults: string[] = [];
  const found = (round: number, what: readonly string[]) =>
    faults.push(...what.map((each) => `Round ${round}: ${each}`));
  const count = { kills: 0, rounds: 0 };

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
            patienceMs: ms(200),
          }),
        ),
        slots: running.slots,
        chance: own,
        goesOn,
        thinkingMs: ms(THINKING_SECONDS),
        visit: `round-${round}-`,
        feeOf: ({ account }, { type }) => (type === PAID_TYPE && !account.onceADay ? FEE : 0),
      }),
      ...Array.from({ length: receptionists }, (_, at) =>
        reception.work(own.fork(`receptionist ${at}`), goesOn, ms(THINKING_SECONDS) / 2),
      ),
    ]);
  };

  const back: number[] = [];
  const outage = async (number: number) => {
    const kind = OUTAGES[number % OUTAGES.length];
    if (kind === undefined) return;
    told.answers(false);
    kind.begin(book);
    await pause(ms(kind.seconds));
    kind.end(book);
    told.answers(true);
    const [from, done] = [told.now(), history.done('book')];
    const after = () => told.now() - from;
    while (history.done('book') === done && after() <= boundMs) await pause(20);
    back.push(after());
    if (after() > boundMs) found(number, [`nobody books since an OSCAR that ${kind.name} is back`]);
  };

  const round = async (number: number) => {
    running.slots = await freshSlots(cluster, accounts, pace, number);
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
    if (defect === undefined) await outage(number);
    const beforeKill = own.between(0, phase);
    await more(beforeKill, history.count);
    cluster.services[number % cluster.services.length]?.kill();
    told.killed(nowAt(pace));
    count.kills += 1;
    await more(phase - beforeKill, history.count);
    isOver = true;
    await acting;
    book.landLate();
    await told.all();
    await cluster.heal();
    moveOn(cluster, pace, LONG_AFTER);
    const movedOnAt = nowAt(pace);
    const left = await untilQuiet(cluster, movedOnAt);
    if (left !== null)
      found(number, [
        `never quiet: ${left}`,
        ...cluster.services.map(({ name, lastWords }) => `${name} said last: ${lastWords()}`),
      ]);
    await told.all();
    const now = nowAt(pace);
    found(number, await cluster.ask((database) => judge(database, book, reception, now)));
    reception.cancelAll();
    await told.all();
    count.rounds += 1;
  };

  try {
    for (let number = 1; number <= rounds; number += 1) {
      await round(number);
      if (faults.some((each) => options.until?.test(each))) break;
    }
  } finally {
    await told.stop();
    await cluster.stop();
    await book.stop();
    history.close();
  }
  return {
    title: `Staff nemesis: ${accounts.length} patients, ${receptionists} receptionists, ${count.rounds} rounds, time ${hurry} times as fast`,
    lines: [
      `${reported(history, file)}; ${count.kills} × kill -9`,
      `staff ${listed(reception.deeds)}; faults ${listed(troubles.met)}`,
      `OSCAR away ${back.length} times; the first booking after ${inSeconds(back)}`,
      `told ${told.took.emails.length} times: tables after ${inSeconds(told.took.tables)}, email after ${inSeconds(told.took.emails)}, bound ${(ms(BOUND_SECONDS) / 1000).toFixed(1)} s`,
    ],
    faults: [
      ...faults,
      ...told.faults,
      ...cluster.services.flatMap(({ ownEnds, leaks }) => [...ownEnds, ...leaks]),
    ],
  };
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
  pace: Pace,
  round: number,
): Promise<readonly Slot[]> {
  const from = addDays(toClinic(nowAt(pace)).date, 3 + (round % 2) * 2);
  const span = { from, to: addDays(from, 1) };
  await cluster.ask((database) =>
    database.query('update session set created_at_s = $1, last_active_at_s = $1', [nowAt(pace)]),
  );
  const [base] = cluster.bases;
  const token = accounts[0]?.token;
  if (base === undefined || token === undefined) throw new Error('There is nobody to ask');
  for (let tries = 0; tries < 600; tries += 1) {
    const ofEach = await Promise.all(
      ['O', PAID_TYPE, 'T15'].map((type) => slotsOf(base, token, type, span)),
    );
    if (ofEach.every((slots) => new Set(slots.map(({ provider }) => provider)).size === 3))
      return ofEach.flat().sort((one, other) => one.start - other.start);
    await pause(100);
  }
  throw new Error('The schedule of OSCAR did not come');
}

const placesOf = (slots: readonly Slot[]): readonly Place[] =>
  slots.map(({ provider, start, date }) => {
    const [hours = 0, minutes = 0] = toClinic(start).time.split(':').map(Number);
    return { providerNo: provider, date, start: hours * 60 + minutes };
  });

function moveOn(cluster: Cluster, pace: Pace, seconds: number): void {
  pace.movedOn += seconds;
  for (const service of cluster.services) service.moveOn(seconds);
}

/** What is under way, and how far the sync has come. */
interface Left {
  readonly appointments: number;
  readonly outbox: number;
  readonly payments: number;
  readonly turn: Turn;
}

/**
 * Until nothing is held, sent, paid or cancelled any more, and all days of OSCAR were read since; null
 * then, or what is left when it was asked often enough.
 */
async function untilQuiet(cluster: Cluster, movedOnAt: number): Promise<string | null> {
  for (let looks = 1; ; looks += 1) {
    const [left] = await cluster.ask(async (database) => {
      const { rows } = await database.query<Left>(
        `select (select count(*)::int from appointment
                  where state = 'held' or cancel_asked_at_s is not null) as appointments,
                (select count(*)::int from outbox where done_at_s is null) as outbox,
                (select count(*)::int from payment
                  where state in ('created', 'requires_action', 'declined', 'cancelling',
                                  'capturing', 'capture_failed', 'refund_pending')) as payments,
                (select value::jsonb from installation where key = 'emr-sync') as turn`,
      );
      return rows;
    });
    if (left !== undefined && isQuiet(left, movedOnAt)) return null;
    if (looks === LOOKS_AT_MOST) return JSON.stringify({ movedOnAt, ...left });
    await pause(100);
  }
}

const isQuiet = ({ appointments, outbox, payments, turn }: Left, movedOnAt: number): boolean =>
  appointments + outbox + payments === 0 &&
  turn.wholeAt >= movedOnAt &&
  turn.reread.length === 0 &&
  turn.cancelled.length === 0;

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
