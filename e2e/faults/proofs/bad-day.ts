import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { type PatientAccount, patientOf, pause } from '../clinic/patient.ts';
import { openRecord } from '../clinic/record.ts';
import { runWorkload } from '../clinic/workload.ts';
import type { Slot } from '../history.ts';
import type { BadDay } from '../nemesis/bad-days.ts';
import { type Finding, slowest } from '../report.ts';

export interface BadDayOptions {
  readonly accounts: readonly PatientAccount[];
  readonly slots: readonly Slot[];
  /** Where nginx listens. */
  readonly port: number;
  readonly seconds: number;
  readonly chance: Chance;
}

/** What patients had of it, from its begin to its end; the seconds are those after it. */
interface Had {
  readonly answers: number;
  readonly done: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly slowestMs: number;
  /** What `/readyz` of the services said meanwhile. */
  readonly ready: string;
  readonly servedAfterMs: number;
  readonly bookedAfterMs: number;
}

interface Answer {
  /** Null when none came. */
  readonly status: number | null;
  readonly sentAt: number;
  readonly at: number;
  readonly isWrite: boolean;
  readonly saysWhen: boolean;
}

/** How long anybody waits for a word, at most. */
const MOST_MS = 10_000;
/** Then the patient gives up, and it counts as late. */
const PATIENCE_MS = 30_000;
const QUIET_MS = 3_000;
/** The checkers that speak of something done twice; the others speak of what was lost. */
const DOUBLED = /^(no overlap|same answer|limits|slot register|I\d+)$/;

/**
 * A bad day begins and ends while patients book, move, cancel and look through nginx: whoever cannot be
 * served is told so soon, with when to try again, nothing acknowledged is lost, and all goes on by itself.
 */
export async function badDay(
  cluster: Cluster,
  { what, isFelt, begin }: BadDay,
  { accounts, slots, port, seconds, chance }: BadDayOptions,
): Promise<Finding & { readonly had: Had & { readonly lost: number; readonly doubled: number } }> {
  const record = openRecord(cluster, accounts);
  const answers: Answer[] = [];
  let loaded = true;
  const load = runWorkload({
    patients: accounts.map((account) =>
      patientOf({
        account,
        bases: [`http://127.0.0.1:${port}/api`],
        history: record.history,
        chance: chance.fork(account.name),
        patienceMs: PATIENCE_MS,
        fetch: noting(answers),
      }),
    ),
    slots,
    chance: chance.fork('wishes'),
    goesOn: () => loaded,
    thinkingMs: 50,
  });

  await pause(QUIET_MS);
  const begun = performance.now();
  const end = await begin(cluster);
  await pause(seconds * 1_000);
  const ready = await readiness(cluster);
  await end();
  const ended = performance.now();
  const [served, booked] = await Promise.all([
    after(ended, () => answers.find(({ at, status }) => at > ended && status === 200)),
    after(ended, () =>
      answers.find(({ at, status, isWrite }) => at > ended && status === 200 && isWrite),
    ),
  ]);
  await pause(QUIET_MS);
  loaded = false;
  await load;

  const during = answers.filter(({ sentAt, at }) => at >= begun && sentAt <= ended);
  const count = (which: (answer: Answer) => boolean) => during.filter(which).length;
  const verdict = await record.judged();
  const doubled = verdict.anomalies.filter(({ checker }) => DOUBLED.test(checker)).length;
  const had = {
    answers: during.length,
    done: count(({ status }) => status === 200),
    refused: tally(during),
    slowestMs: slowest(answers.map(({ sentAt, at }) => at - sentAt)),
    ready,
    servedAfterMs: served - ended,
    bookedAfterMs: booked - ended,
    lost: verdict.anomalies.length - doubled,
    doubled,
  };
  const demands: readonly (readonly [boolean, string])[] = [
    [
      isFelt !== during.some(({ status }) => status === 503),
      isFelt ? 'nobody was refused, so it never was' : 'somebody was refused',
    ],
    [had.slowestMs > MOST_MS, `an answer came after ${(had.slowestMs / 1_000).toFixed(1)} s`],
    [
      answers.some(({ status, saysWhen }) => status === 503 && !saysWhen),
      'a 503 does not say when to try again',
    ],
    [
      answers.some(({ status }) => status === null || (status >= 500 && status !== 503)),
      'somebody had another answer than 503, or none',
    ],
  ];
  return {
    title: what,
    lines: verdict.lines,
    faults: [
      ...verdict.faults,
      ...demands.flatMap(([isBroken, says]) => (isBroken ? [says] : [])),
    ].map((says) => `${what}: ${says}`),
    had,
  };
}

/** Notes each answer. */
const noting =
  (answers: Answer[]): typeof fetch =>
  async (url, init) => {
    const sentAt = performance.now();
    const isWrite = init?.method === 'POST';
    const note = (status: number | null, saysWhen: boolean) =>
      answers.push({ status, sentAt, at: performance.now(), isWrite, saysWhen });
    try {
      const answer = await fetch(url, init);
      note(answer.status, answer.headers.has('retry-after'));
      return answer;
    } catch (error) {
      note(null, false);
      throw error;
    }
  };

function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) {
    if (status === 200) continue;
    const name = String(status ?? 'none');
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function readiness({ services }: Cluster): Promise<string> {
  const said = await Promise.all(
    services.map(async ({ port }) => {
      const answer = await fetch(`http://127.0.0.1:${port()}/readyz`);
      const { status } = (await answer.json()) as { readonly status: string };
      return status;
    }),
  );
  return [...new Set(said)].join(', ');
}

/** When the first such answer came; gives up after a minute. */
async function after(since: number, first: () => Answer | undefined): Promise<number> {
  while (performance.now() < since + 60_000) {
    const found = first();
    if (found !== undefined) return found.at;
    await pause(5);
  }
  return Infinity;
}
