import { type Db, type Part, type Tx, part, sql } from './db.ts';

// Advisory locks and channels are the whole database's, whatever schema one is in. Several clinics may
// share a database, each in a schema of its own, so the schema is in every key and name. Only in
// 'public' they are what release 0.2.0 says, which may still run beside this one.

/** Numbers that no other program on this database uses. */
export const LOCKS = {
  migration: 7_318_201,
  schedule: 7_318_203,
  clinics: 7_318_204,
  sealer: 7_318_214,
} as const;
type Lock = keyof typeof LOCKS;

const inSchema = (number: number): Part => part`case current_schema() when 'public'
  then ${number}::bigint else hashtextextended(current_schema(), ${number}::bigint) end`;

/** Waits until it is this clinic's first; it ends with the transaction. */
export async function lockFor(lock: Lock, tx: Pick<Tx, '$client'>): Promise<void> {
  await sql(tx, 'lock')`select pg_advisory_xact_lock(${inSchema(LOCKS[lock])})`;
}

/** The same for a word, such as what a limit counts. */
export async function lockWord(word: string, tx: Tx): Promise<void> {
  await sql(tx, 'lock-word')`
    select pg_advisory_xact_lock(hashtextextended(${word}, ${inSchema(0)}))`;
}

/** Without waiting: whether it was free. */
export async function tryLockFor(lock: Lock, tx: Tx): Promise<boolean> {
  const [answer] = await sql<{ free: boolean }>(tx, 'lock-try')`
    select pg_try_advisory_xact_lock(${inSchema(LOCKS[lock])}) as free`;
  return answer?.free === true;
}

/** A name has 63 bytes at most, as a schema's does: its hash fits. */
const CHANNEL = part`'clinic_commits' || case current_schema() when 'public' then ''
  else '_' || md5(current_schema()) end`;

/** What LISTEN names. */
export async function channelOf(on: Pick<Db, '$client'>): Promise<string> {
  const [row] = await sql<{ channel: string }>(on)`select ${CHANNEL} as channel`;
  if (!row) throw new Error('The database did not say its channel');
  return row.channel;
}

export async function notifyChannel(on: Pick<Db, '$client'>, said: string): Promise<void> {
  await sql(on, 'notify')`select pg_notify(${CHANNEL}, ${said})`;
}
