import type { Database, Db } from './db.ts';
import { lockFact, readFact, writeFact } from './installation.store.ts';

const FACT = 'jobs';

/** When a kind of job last ended well, whichever process did it. */
export interface JobRun {
  readonly everySeconds: number;
  /** In epoch seconds; null where it never did. */
  readonly endedAt: number | null;
  /** Since when the process runs that began last. */
  readonly since: number;
}

/** The last run of each kind of job, by its name. They are noted every minute. */
export async function jobRuns(db: Db): Promise<ReadonlyMap<string, JobRun>> {
  return parsed((await readFact(db, FACT)) ?? '{}');
}

/** Adds what one process did to what all have done, and drops kinds that are not among its own. */
export const noteJobRuns = (
  database: Pick<Database, 'inTransaction'>,
  own: ReadonlyMap<string, JobRun>,
): Promise<void> =>
  database.inTransaction(async (tx) => {
    const noted = parsed(await lockFact(tx, FACT, '{}'));
    const all = [...own].map(([name, { everySeconds, endedAt, since }]) => {
      const before = noted.get(name);
      const last = Math.max(endedAt ?? 0, before?.endedAt ?? 0);
      const run = {
        everySeconds,
        endedAt: last || null,
        since: Math.max(since, before?.since ?? 0),
      };
      return [name, run];
    });
    await writeFact(tx, FACT, JSON.stringify(Object.fromEntries(all)));
  });

const parsed = (text: string) =>
  new Map(Object.entries(JSON.parse(text) as Record<string, JobRun>));

/** Their own time and what may pass until it is noted, thrice. */
const lateAfter = ({ everySeconds }: JobRun) => 3 * (everySeconds + 60);

/** The kinds that have not ended well for longer than they should take. */
export const lateJobs = (
  runs: ReadonlyMap<string, JobRun>,
  now: number,
): readonly (JobRun & { readonly name: string })[] =>
  [...runs]
    .filter(([, run]) => now - Math.max(run.endedAt ?? 0, run.since) > lateAfter(run))
    .map(([name, run]) => ({ name, ...run }));
