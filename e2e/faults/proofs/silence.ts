import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { openRecord } from '../clinic/record.ts';
import { type Patient, type PatientAccount, insist, patientOf, pause } from '../clinic/patient.ts';
import type { ServiceChild } from '../clinic/service-child.ts';
import type { Slot } from '../history.ts';
import { type Finding, LONG } from '../report.ts';

export interface SilenceOptions {
  readonly accounts: readonly PatientAccount[];
  readonly slots: readonly Slot[];
  readonly chance: Chance;
}

/**
 * Signed-in requests are answered again, and `/readyz` has noticed, after so many looks, in each of which
 * the service says that it lives: a slow machine makes both slower. Nothing else ends such a silence in
 * minutes.
 */
const LOOKS_AT_MOST = 600;
const LOOK_EVERY_MS = 50;
/** So it is without load, which the lines show and long runs demand. */
const WITHIN_MS = 10_000;
/** So many answers in a row and it lasts. */
const IN_A_ROW = 6;
/** Far more than the service takes to say that it does not know. */
const PATIENCE_MS = 600_000;
const ASK_EVERY_MS = 150;
const CONNECTIONS_AT_LEAST = 7;

/**
 * Database connections fall silent while patients ask: one service's by a firewall that forgets them,
 * and once more in the middle of a COMMIT; the other's because their server processes are frozen, and
 * once more altogether, so that it cannot serve.
 */
export async function silence(
  cluster: Cluster,
  { accounts, slots, chance }: SilenceOptions,
): Promise<Finding> {
  const [first, second] = cluster.services;
  const [slot] = slots;
  if (first === undefined || second === undefined || slot === undefined)
    throw new Error('The clinic is too small');
  const record = openRecord(cluster, accounts);
  const patientsOf = (service: ServiceChild, some: readonly PatientAccount[]) =>
    some.map((account) =>
      patientOf({
        account,
        bases: [`http://127.0.0.1:${service.front.port}/api`],
        history: record.history,
        chance: chance.fork(account.name),
        patienceMs: PATIENCE_MS,
      }),
    );
  const half = Math.floor(accounts.length / 2);
  const [booker, ...others] = patientsOf(first, accounts.slice(0, half));
  if (booker === undefined) throw new Error('Too few patients');
  const one = observe(first, others);
  const other = observe(second, patientsOf(second, accounts.slice(half)));

  const forgotten = async () => {
    await one.strike('forgotten', () => first.back.fallSilent());
    await one.comesBack();
    const began = performance.now();
    const lost = first.back.fallSilentAt('commit\0', 'appointments-');
    const book = async () => {
      const answered = await booker.book(slot, 'silent-commit');
      if (answered.status === undefined) one.faults.push('A lost COMMIT kept a patient waiting');
      return answered;
    };
    const booked = await insist(book, chance);
    await lost;
    one.tellTime('a COMMIT that did not arrive: booked', performance.now() - began, 2 * WITHIN_MS);
    if (booked.outcome !== 'ok')
      one.faults.push(`A COMMIT that did not arrive ended as ${JSON.stringify(booked)}`);
  };
  const frozen = async () => {
    let pids: readonly number[] = [];
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
      for (const pid of pids) process.kill(pid, name);
    };
    try {
      await other.strike('frozen', async () => {
        pids = await idleBackends(cluster, second);
        signal('SIGSTOP');
        if (pids.length === 0) other.faults.push('None were frozen');
      });
      await other.comesBack();
    } finally {
      signal('SIGCONT');
    }
    await other.strike('silent, with all to come', () => second.back.fallSilent('those to come'));
    await other.isNotReady();
    second.back.mend();
    await other.comesBack();
  };
  await Promise.all([forgotten(), frozen()]);
  await Promise.all([one.stop(), other.stop()]);

  const verdict = await record.judged();
  const appointments = verdict.rows.filter(({ state }) => state === 'booked').length;
  return {
    title: 'Database connections fall silent: forgotten, frozen, in the middle of a COMMIT',
    lines: [...one.lines, ...other.lines, ...verdict.lines],
    faults: [
      ...verdict.faults,
      ...one.faults,
      ...other.faults,
      ...(appointments === 1 ? [] : [`${appointments} visits for one wish`]),
    ],
  };
}

interface Observed {
  readonly lines: string[];
  readonly faults: string[];
  /** All is well before it, and nobody asks at the moment itself. */
  strike(what: string, how: () => Promise<void> | void): Promise<void>;
  /** Waits until everybody is answered and `/readyz` says yes, and stays so. */
  comesBack(): Promise<void>;
  /** Writes down how long something took; in a long run it is a fault to take longer than that. */
  tellTime(what: string, ms: number, mostMs: number): void;
  /** Waits until `/readyz` says no. */
  isNotReady(): Promise<void>;
  stop(): Promise<void>;
}

/** Patients who go on asking one service, and whoever asks whether it is ready. */
function observe(
  { name, front, back, port }: ServiceChild,
  patients: readonly Patient[],
): Observed {
  const lines: string[] = [];
  const faults: string[] = [];
  const over = new AbortController();
  let rest = Promise.resolve();
  let struck = { what: '', at: 0 };

  const goOn = (ask: () => Promise<unknown>) => {
    /** What was heard last, how often in a row and since which question, and whether one is open. */
    const heard = { last: null as unknown, times: 0, since: Infinity, isOpen: false };
    const going = (async () => {
      while (!over.signal.aborted) {
        const asked = performance.now();
        heard.isOpen = true;
        const answer = await ask();
        heard.isOpen = false;
        if (answer !== heard.last) Object.assign(heard, { last: answer, times: 0, since: asked });
        heard.times += 1;
        await pause(ASK_EVERY_MS);
        await rest;
      }
    })();
    return { heard, going };
  };
  const list = async (patient: Patient) => {
    const { outcome, status } = await patient.list();
    // The service says in time that it is busy; without that its own end of a request cuts it off.
    if (status === undefined) faults.push(`${name}: a question was cut off`);
    return outcome;
  };
  const askers = patients.map((patient) => goOn(() => list(patient)));
  const ready = goOn(() => statusOf(`http://127.0.0.1:${front.port}/readyz`));
  const all = [...askers, ready];

  const until = async (whether: () => boolean, otherwise: string) => {
    for (let looks = 0; !whether(); looks += 1) {
      if (looks > LOOKS_AT_MOST) return void faults.push(`${name}: ${otherwise}, but ${how()}`);
      await pause(LOOK_EVERY_MS);
      await statusOf(`http://127.0.0.1:${port()}/healthz`);
    }
  };
  const answered = () => askers.filter(({ heard }) => heard.last === 'ok');
  const isWell = () =>
    answered().length === askers.length &&
    ready.heard.last === 200 &&
    all.every(({ heard }) => heard.times >= IN_A_ROW);
  const how = () =>
    `${answered().length} of ${askers.length} patients are answered, and /readyz says ${String(ready.heard.last)}`;
  const tellTime = (what: string, ms: number, mostMs: number) => {
    lines.push(`${what} ${(Math.max(0, ms) / 1000).toFixed(1)} s later`);
    if (LONG && ms > mostMs) faults.push(lines.at(-1) ?? '');
  };
  const tell = (what: string, { since }: { readonly since: number }) =>
    tellTime(`${name}, ${struck.what}: ${what}`, since - struck.at, WITHIN_MS);
  const forget = () => {
    for (const { heard } of askers) heard.last = null;
    // It may have noticed nothing: that is no new answer.
    ready.heard.times = 0;
  };

  return {
    lines,
    faults,
    tellTime,
    strike: async (what, strike) => {
      await until(isWell, `all is well before the connections are ${what}`);
      // A pool as it is when many ask at once.
      do await Promise.all([...patients, ...patients].map((patient) => patient.list()));
      while (back.portsBeyond().length < CONNECTIONS_AT_LEAST);
      let goOnAsking = () => {};
      rest = new Promise((resolve) => (goOnAsking = resolve));
      await until(() => all.every(({ heard }) => !heard.isOpen), 'nobody waits');
      const connections = back.portsBeyond().length;
      struck = { what: `${connections} connections ${what}`, at: performance.now() };
      await strike();
      forget();
      goOnAsking();
    },
    comesBack: async () => {
      await until(isWell, `${struck.what}: everybody is answered again`);
      tell('answers', { since: Math.max(...askers.map(({ heard }) => heard.since)) });
      tell('ready', ready.heard);
    },
    isNotReady: async () => {
      await until(() => ready.heard.last === 503, `${struck.what}: not ready`);
      tell('not ready', ready.heard);
      struck = { what: 'mended', at: performance.now() };
      forget();
    },
    stop: async () => {
      over.abort();
      await Promise.all(all.map(({ going }) => going));
    },
  };
}

/** The server processes of a service that do nothing at this moment: a frozen one holds no lock. */
async function idleBackends(cluster: Cluster, { back }: ServiceChild): Promise<readonly number[]> {
  const { rows } = await cluster.ask((database) =>
    database.query<{ pid: number }>(
      `select pid from pg_stat_activity where client_port = any($1) and state = 'idle'`,
      [back.portsBeyond()],
    ),
  );
  return rows.map(({ pid }) => pid);
}

async function statusOf(url: string): Promise<number | null> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return null;
  }
}
