import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { openRecord } from '../clinic/record.ts';
import { type Patient, type PatientAccount, insist, patientOf, pause } from '../clinic/patient.ts';
import type { ServiceChild } from '../clinic/service-child.ts';
import type { Slot } from '../history.ts';
import type { Finding } from '../report.ts';

export interface SilenceOptions {
  readonly accounts: readonly PatientAccount[];
  readonly slots: readonly Slot[];
  readonly chance: Chance;
}

/**
 * Signed-in requests are answered again, and `/readyz` has noticed, after 10 s at most, which the lines
 * show; a slow machine beside other tests gets longer. Nothing else ends such a silence in minutes.
 */
const WITHIN_MS = 30_000;
/** Long enough to be sure that it lasts. */
const LASTS_MS = 1_000;
const PATIENCE_MS = 10_000;
/** A question that has been open for longer is not answered. */
const OPEN_AT_MOST_MS = 3_000;
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
        chance: chance.fork(account.id),
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
    const booked = await insist(() => booker.book(slot, 'silent-commit'), chance);
    await lost;
    const took = performance.now() - began;
    one.lines.push(`a COMMIT that did not arrive: booked ${(took / 1000).toFixed(1)} s later`);
    if (booked.outcome !== 'ok' || took > 2 * WITHIN_MS)
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
        if (pids.length < CONNECTIONS_AT_LEAST)
          other.faults.push(`Only ${pids.length} were frozen`);
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
  /** Waits until `/readyz` says no. */
  isNotReady(): Promise<void>;
  stop(): Promise<void>;
}

/** Patients who go on asking one service, and whoever asks whether it is ready. */
function observe({ name, front, back }: ServiceChild, patients: readonly Patient[]): Observed {
  const lines: string[] = [];
  const faults: string[] = [];
  const over = new AbortController();
  let rest = Promise.resolve();
  let struck = { what: '', at: 0 };

  const goOn = (ask: () => Promise<unknown>) => {
    /** What was heard last, since which question, and the question that is open. */
    const heard = { last: null as unknown, since: Infinity, openSince: Infinity };
    const going = (async () => {
      while (!over.signal.aborted) {
        const asked = (heard.openSince = performance.now());
        const answer = await ask();
        heard.openSince = Infinity;
        if (answer !== heard.last) Object.assign(heard, { last: answer, since: asked });
        await pause(ASK_EVERY_MS);
        await rest;
      }
    })();
    return { heard, going };
  };
  const askers = patients.map((patient) => goOn(async () => (await patient.list()).outcome));
  const ready = goOn(() => statusOf(`http://127.0.0.1:${front.port}/readyz`));
  const all = [...askers, ready];

  const until = async (whether: () => boolean, otherwise: string) => {
    const from = performance.now();
    while (!whether()) {
      if (performance.now() - from > WITHIN_MS + LASTS_MS)
        return void faults.push(`${name}: ${otherwise}, but ${how()}`);
      await pause(20);
    }
  };
  const answered = () => askers.filter(({ heard }) => heard.last === 'ok');
  const isWell = () => {
    const [now, aWhileAgo] = [performance.now(), performance.now() - LASTS_MS];
    return (
      answered().length === askers.length &&
      ready.heard.last === 200 &&
      all.every(({ heard }) => heard.since < aWhileAgo && heard.openSince > now - OPEN_AT_MOST_MS)
    );
  };
  const how = () =>
    `${answered().length} of ${askers.length} patients are answered, and /readyz says ${String(ready.heard.last)}`;
  const sinceStruck = (at: number) => `${(Math.max(0, at - struck.at) / 1000).toFixed(1)} s`;
  const forget = () => {
    for (const { heard } of askers) heard.last = null;
  };

  return {
    lines,
    faults,
    strike: async (what, strike) => {
      await until(isWell, `all is well before the connections are ${what}`);
      // A pool as it is when many ask at once.
      await Promise.all([...patients, ...patients].map((patient) => patient.list()));
      let goOnAsking = () => {};
      rest = new Promise((resolve) => (goOnAsking = resolve));
      await until(() => all.every(({ heard }) => heard.openSince === Infinity), 'nobody waits');
      const connections = back.portsBeyond().length;
      if (connections < CONNECTIONS_AT_LEAST)
        faults.push(`${name}: only ${connections} connections were ${what}`);
      struck = { what: `${connections} connections ${what}`, at: performance.now() };
      await strike();
      forget();
      goOnAsking();
    },
    comesBack: async () => {
      await until(isWell, `${struck.what}: everybody is answered within ${WITHIN_MS / 1000} s`);
      const at = Math.max(...askers.map(({ heard }) => heard.since));
      lines.push(
        `${name}, ${struck.what}: answers ${sinceStruck(at)} later, ready ${sinceStruck(ready.heard.since)}`,
      );
    },
    isNotReady: async () => {
      await until(() => ready.heard.last === 503, `${struck.what}: not ready`);
      lines.push(`${name}, ${struck.what}: not ready ${sinceStruck(ready.heard.since)} later`);
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
