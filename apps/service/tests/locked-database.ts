import { AsyncLocalStorage } from 'node:async_hooks';
import { CommitOutcomeUnknown, type Database } from '../src/database/db.ts';
import type { TestApp } from '../testing/index.ts';

/**
 * What goes wrong with the database of a request. 'door': it is locked once the request was let in. 'counted':
 * it is locked once a limit has counted the request. 'counting': the answer of that counting is lost.
 * 'committing': each COMMIT is done, and its answer lost. 'committed': it is locked after the first COMMIT.
 */
export type DatabaseFault = 'door' | 'counted' | 'counting' | 'committing' | 'committed';

export interface LockableDatabase {
  readonly database: Database;
  /** Has what the clinic is asked here meet the fault. The limits can count all the while. */
  during<T>(
    clinic: Pick<TestApp, 'app' | 'platform'>,
    fault: DatabaseFault,
    ask: () => Promise<T>,
  ): Promise<T>;
}

const lockTimeout = () =>
  Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

/** A query that is refused when it is waited for, however it is built. */
const refusedQuery: unknown = new Proxy(() => undefined, {
  apply: () => refusedQuery,
  get: (_, key) => {
    const refused = () => Promise.reject(lockTimeout());
    if (key === 'then') return (...then: [() => void, () => void]) => refused().then(...then);
    return key === 'query' ? refused : refusedQuery;
  },
});

export function lockableDatabase(plain: Database): LockableDatabase {
  const counting = new AsyncLocalStorage<true>();
  let isLocked = false;
  let met: DatabaseFault | null = null;
  const isRefused = () => isLocked && counting.getStore() === undefined;
  /** Some modules keep it from the start. */
  const lockableDb = (db: Database['db']) =>
    new Proxy(db, {
      get: (found, key): unknown =>
        Reflect.get((isRefused() ? refusedQuery : found) as typeof db, key),
    });
  const QUESTIONS: readonly PropertyKey[] = [
    'inTransaction',
    'inTransactionOrConflict',
    'readAside',
  ];
  const database = new Proxy(plain, {
    get(target, key) {
      if (key === 'db') return lockableDb(target.db);
      if (QUESTIONS.includes(key) && isRefused()) return () => Promise.reject(lockTimeout());
      const value: unknown = Reflect.get(target, key);
      if (key !== 'inTransaction' || met === null || counting.getStore()) return value;
      return async (...given: Parameters<Database['inTransaction']>) => {
        const outcome = await target.inTransaction(...given);
        if (met === 'committing') throw new CommitOutcomeUnknown();
        isLocked ||= met === 'committed';
        return outcome;
      };
    },
  });
  return {
    database,
    async during({ app, platform: { rateLimit } }, fault, ask) {
      const { memoryLimit } = app.callHost;
      const inMemory = memoryLimit.use.bind(memoryLimit);
      const inTable = rateLimit.use.bind(rateLimit);
      memoryLimit.use = (...given) => {
        isLocked = fault === 'door';
        met = fault;
        return inMemory(...given);
      };
      rateLimit.use = async (...given) => {
        const refused = await counting.run(true, () => inTable(...given));
        isLocked ||= fault === 'counted' || fault === 'counting';
        if (fault === 'counting') throw lockTimeout();
        return refused;
      };
      try {
        return await ask();
      } finally {
        isLocked = false;
        met = null;
        Object.assign(memoryLimit, { use: inMemory });
        Object.assign(rateLimit, { use: inTable });
      }
    },
  };
}
