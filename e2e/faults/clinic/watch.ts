import { Client } from 'pg';

import { violations } from '../../../apps/service/testing/invariants.ts';
import { pause } from './patient.ts';

/** Looks at the whole database again and again: what must never be true, at any moment. */
export interface Watch {
  readonly violations: ReadonlySet<string>;
  readonly snapshots: () => number;
  stop(): Promise<void>;
}

export type Question = (database: Client) => Promise<readonly string[]>;

export const invariantsHold: Question = (database) => {
  const now = Math.floor(Date.now() / 1000);
  return violations({ $client: database }, now);
};

export function watch(databaseUrl: string, question: Question, everyMs = 150): Watch {
  const found = new Set<string>();
  let snapshots = 0;
  const over = new AbortController();

  const look = async () => {
    const database = new Client({ connectionString: databaseUrl, application_name: 'judge' });
    // The database comes and goes; the next look connects anew.
    database.on('error', () => undefined);
    try {
      await database.connect();
      while (!over.signal.aborted) {
        for (const violation of await question(database)) found.add(violation);
        snapshots += 1;
        await pause(everyMs);
      }
    } catch (error) {
      if (!isAbsence(error)) throw error;
    } finally {
      await database.end().catch(() => undefined);
    }
  };
  const watching = (async () => {
    while (!over.signal.aborted) {
      await look();
      await pause(everyMs);
    }
  })();
  return {
    violations: found,
    snapshots: () => snapshots,
    stop: async () => {
      over.abort();
      await watching;
    },
  };
}

/** Anything that says 'no connection', and nothing that says 'wrong statement'. */
function isAbsence(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return !code.startsWith('42');
}
