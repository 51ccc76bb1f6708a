import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { type PatientAccount, patientOf, pause } from '../clinic/patient.ts';
import { openRecord } from '../clinic/record.ts';
import type { ServiceChild } from '../clinic/service-child.ts';
import type { Question } from '../clinic/watch.ts';
import { runWorkload } from '../clinic/workload.ts';
import type { Slot } from '../history.ts';
import type { Nginx } from '../nginx.ts';
import { type Finding, slowest } from '../report.ts';

export interface RollingUpgradeOptions {
  readonly accounts: readonly PatientAccount[];
  readonly slots: readonly Slot[];
  readonly nginx: Nginx;
  /** The versions that both services get, one after the other. */
  readonly to: readonly Version[];
  /** What must hold of the database before it is migrated, too. */
  readonly onTheWay: Question;
  readonly chance: Chance;
}

export interface Version {
  readonly name: string;
  readonly folder: string;
  /** Whether it serves the files of the version before it, for the pages that are open (docs/adr/0052). */
  readonly keepsFiles: boolean;
}

/** One service that was replaced, and what patients had of it. */
export interface Replacement {
  readonly what: string;
  /** From SIGTERM until the next version is ready. */
  readonly awayMs: number;
  readonly requests: number;
  readonly failed: number;
  readonly slowestMs: number;
  /** Files that a page of the version before asks for, and how many of them it did not get. */
  readonly files: number;
  readonly missing: number;
  /** Migrations that the database has had since. */
  readonly migrations: number;
}

/** An answer that comes at all came in time. */
const PATIENCE_MS = 60_000;
/** nginx ends the connections that it keeps when it is told of another configuration. */
const APART = { connection: 'close' };
/** Between two replacements, and before the first. */
const QUIET_MS = 4_000;

/**
 * Both services are replaced by other versions, one after the other, while patients book and open
 * pages through nginx: no request fails, nothing that was acknowledged is lost, and a page that was
 * open before gets what it has not fetched yet.
 */
export async function rollingUpgrade(
  cluster: Cluster,
  { accounts, slots, nginx, to, onTheWay, chance }: RollingUpgradeOptions,
): Promise<Finding & { readonly replacements: readonly Replacement[] }> {
  const record = openRecord(cluster, accounts, undefined, onTheWay);
  const origin = `http://127.0.0.1:${nginx.port}`;
  const patients = accounts.map((account) =>
    patientOf({
      account,
      bases: [`${origin}/api`],
      history: record.history,
      chance: chance.fork(account.name),
      patienceMs: PATIENCE_MS,
      headers: APART,
    }),
  );
  let loaded = true;
  const goesOn = () => loaded;
  const load = runWorkload({
    patients,
    slots,
    chance: chance.fork('wishes'),
    goesOn,
    thinkingMs: 50,
  });
  const pages = openPages(origin, goesOn);
  const missingFiles: string[] = [];

  const began = performance.now();
  const spans: (Pick<Replacement, 'what' | 'files' | 'missing' | 'migrations'> & {
    from: number;
    ready: number;
    to: number;
  })[] = [];
  await pause(QUIET_MS);
  for (const version of to) {
    const files = version.keepsFiles ? await filesOfPages(origin) : [];
    for (const [index, service] of cluster.services.entries()) {
      const from = performance.now() - began;
      nginx.takeOut(index);
      await service.replaceBy(version.folder);
      await isReady(service);
      nginx.putBack();
      const ready = performance.now() - began;
      await pause(QUIET_MS);
      const migrations = await cluster.ask(countMigrations);
      const what = `${service.name} by ${version.name}`;
      const missing = await missingOf(origin, files);
      const counts = { files: files.length, missing: missing.length, migrations };
      missingFiles.push(...missing.map((path) => `${path} is missing after ${what}`));
      spans.push({ what, from, ready, to: performance.now() - began, ...counts });
    }
  }
  loaded = false;
  await load;
  const { opened, failed: failedPages } = await pages;

  const verdict = await record.judged();
  const failed = verdict.operations.filter(({ outcome }) => outcome === 'unknown');
  const replacements = spans.map(({ from, ready, to: until, ...span }) => {
    const during = verdict.operations.filter(({ sentAt }) => sentAt >= from && sentAt < until);
    return {
      ...span,
      awayMs: ready - from,
      requests: during.length,
      failed: during.filter(({ outcome }) => outcome === 'unknown').length,
      slowestMs: slowest(during.map(({ sentAt, answeredAt }) => answeredAt - sentAt)),
    };
  });
  return {
    title: `Rolling upgrade through nginx: ${accounts.length} patients, ${to.map(({ name }) => name).join(', then ')}`,
    lines: [
      `${failed.length} failed of ${verdict.operations.length} requests; ${opened} pages opened with what they load, ${failedPages.length} without`,
      ...verdict.lines,
    ],
    faults: [
      ...verdict.faults,
      ...failed.map(
        ({ call, status, code = 'no code', sentAt }) =>
          `${call} at ${(sentAt / 1000).toFixed(1)} s failed with ${status ?? 'no answer'}, ${code}`,
      ),
      ...failedPages,
      ...missingFiles,
    ],
    replacements,
  };
}

const countMigrations = async (database: Parameters<Question>[0]): Promise<number> => {
  const { rows } = await database.query<{ count: number }>(
    'select count(*)::int as count from drizzle.__drizzle_migrations',
  );
  return rows[0]?.count ?? 0;
};

async function isReady(service: ServiceChild): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${service.port()}/readyz`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await pause(50);
  }
}

const ask = (url: string) =>
  fetch(url, { headers: APART, signal: AbortSignal.timeout(PATIENCE_MS) });

/** All that the patients' pages may ask for while they stay open. */
async function filesOfPages(origin: string): Promise<string[]> {
  const found = new Set(['/login']);
  // What is found on the way is read too.
  for (const path of found) {
    const answer = await ask(origin + path);
    // A text that only looks like the name of a file.
    if (!answer.ok) found.delete(path);
    for (const [name] of (await answer.text()).matchAll(/[\w-]+-[\w-]{8}\.(?:js|css)\b/g))
      found.add(`/assets/${name}`);
  }
  return [...found].slice(1);
}

async function missingOf(origin: string, files: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const path of files) {
    const answer = await ask(origin + path);
    await answer.arrayBuffer();
    if (!answer.ok) missing.push(path);
  }
  return missing;
}

/** Opens the page again and again, and all that it names, as a browser does that has kept nothing. */
async function openPages(origin: string, goesOn: () => boolean) {
  const failed: string[] = [];
  let opened = 0;
  const take = async (path: string): Promise<string> => {
    const answer = await ask(origin + path);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} failed with ${answer.status}`);
    return text;
  };
  while (goesOn()) {
    try {
      const page = await take('/login');
      const named = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)];
      await Promise.all(named.map(([, path = '']) => take(path)));
      opened += 1;
    } catch (error) {
      failed.push(error instanceof Error ? error.message : String(error));
    }
    await pause(50);
  }
  return { opened, failed };
}
