import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { type PatientAccount, patientOf, pause } from '../clinic/patient.ts';
import { openRecord } from '../clinic/record.ts';
import { runWorkload } from '../clinic/workload.ts';
import type { HistoryWriter, Slot } from '../history.ts';
import { type Finding, LONG, slowest } from '../report.ts';

export interface ThroughNginxOptions {
  readonly accounts: readonly PatientAccount[];
  readonly slots: readonly Slot[];
  /** Where nginx listens. */
  readonly port: number;
  readonly rounds: number;
  readonly chance: Chance;
}

/** What was struck, how long it was away, and what patients had of it. */
interface Strike {
  readonly what: string;
  readonly awayMs: number;
  /** From when it was back: until anybody was served, and until somebody booked. */
  readonly servedAfterMs: number;
  readonly bookedAfterMs: number;
  /** The longest that nobody at all was served, from the strike on. */
  readonly silentMs: number;
}

/** On a machine that does nothing else: long runs demand it. */
const MOST_MS = 5_000;
/** Between two strikes, so that each is seen by itself. */
const QUIET_MS = 3_000;

/**
 * One service is killed, the database is stopped at once, and both come back, again and again while
 * patients book through nginx: nothing that was acknowledged is lost, and they are served soon.
 */
export async function throughNginx(
  cluster: Cluster,
  { accounts, slots, port, rounds, chance }: ThroughNginxOptions,
): Promise<Finding & { readonly strikes: readonly Strike[] }> {
  const record = openRecord(cluster, accounts);
  const { history, served, booked } = noting(record.history);
  const bases = [`http://127.0.0.1:${port}/api`];
  const patients = accounts.map((account) =>
    patientOf({ account, bases, history, chance: chance.fork(account.name) }),
  );
  let loaded = true;
  const load = runWorkload({
    patients,
    slots,
    chance: chance.fork('wishes'),
    goesOn: () => loaded,
    thinkingMs: 50,
  });

  async function struck(what: string, strike: () => Promise<void>): Promise<Strike> {
    await pause(QUIET_MS);
    const at = performance.now();
    await strike();
    const back = performance.now();
    const [first, firstBooked] = await Promise.all([after(served, back), after(booked, back)]);
    const moments = [at, ...served.filter((moment) => moment > at && moment <= first)];
    return {
      what,
      awayMs: back - at,
      servedAfterMs: first - back,
      bookedAfterMs: firstBooked - back,
      silentMs: slowest(moments.slice(1).map((moment, before) => moment - (moments[before] ?? 0))),
    };
  }

  const strikes: Strike[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const service = cluster.services[round % cluster.services.length];
    strikes.push(
      await struck('kill -9 of one service', async () => {
        service?.kill();
        await service?.listens();
      }),
      await struck('database stopped at once', async () => {
        await cluster.server.crash();
        await pause(chance.between(500, 3_000));
        await cluster.server.startAgain();
      }),
    );
  }
  loaded = false;
  await load;
  const verdict = await record.judged();
  const late = strikes.filter(({ servedAfterMs }) => LONG && servedAfterMs > MOST_MS);
  return {
    title: `Through nginx: two services, PgBouncer, ${accounts.length} patients`,
    lines: verdict.lines,
    faults: [
      ...verdict.faults,
      ...late.map(
        ({ what, servedAfterMs }) => `${what}: nobody was served for ${servedAfterMs} ms`,
      ),
    ],
    strikes,
  };
}

/** The history, and the moments at which somebody was served and somebody's booking acknowledged. */
function noting(history: HistoryWriter) {
  const served: number[] = [];
  const booked: number[] = [];
  const bookings = new Set<number>();
  const noted: HistoryWriter = {
    ...history,
    asks(asked) {
      const id = history.asks(asked);
      if (asked.call === 'book' || asked.call === 'reschedule') bookings.add(id);
      return id;
    },
    answers(id, answered) {
      history.answers(id, answered);
      if (answered.outcome !== 'ok') return;
      served.push(performance.now());
      if (bookings.has(id)) booked.push(performance.now());
    },
  };
  return { history: noted, served, booked };
}

/** The first of the moments after this one. */
async function after(moments: readonly number[], since: number): Promise<number> {
  for (;;) {
    const first = moments.find((moment) => moment > since);
    if (first !== undefined) return first;
    await pause(5);
  }
}
