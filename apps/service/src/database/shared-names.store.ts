import { type Db, type Part, type Tx, part, sql } from './db.ts';

// Advisory locks and channels belong to the whole database, whatever the schema. Several clinics may share a
// database, each in its own schema, so the schema is part of every key and name. Only in 'public' they are
// the same as in release 0.2.0, which may still run beside this one.

/** Numbers that no other program on this database uses. */
export const LOCKS = {
  migration: 7_318_201,
  schedule: 7_318_203,
  clinics: 7_318_204,
  names: 7_318_205,
  sealer: 7_318_214,
} as const;
type Lock = keyof typeof LOCKS;

const inSchema = (number: number): Part => part`case current_schema() when 'public'
  then ${number}::bigint else hashtextextended(current_schema(), ${number}::bigint) end`;

/** Waits until this transaction holds the clinic's lock, which it keeps until its end. */
export async function lockFor(lock: Lock, tx: Pick<Tx, '$client'>): Promise<void> {
  await sql(tx, 'lock')`select pg_advisory_xact_lock(${inSchema(LOCKS[lock])})`;
}

/** Locks a word, such as the subject of a rate limit. */
export async function lockWord(word: string, tx: Tx): Promise<void> {
  await sql(tx, 'lock-word')`
    select pg_advisory_xact_lock(hashtextextended(${word}, ${inSchema(0)}))`;
}

/** Takes the lock only if it is free, without waiting; false when it is not. */
export async function tryLockFor(lock: Lock, tx: Tx): Promise<boolean> {
  const [answer] = await sql<{ free: boolean }>(tx, 'lock-try')`
    select pg_try_advisory_xact_lock(${inSchema(LOCKS[lock])}) as free`;
  return answer?.free === true;
}

/** A channel's name has 63 bytes at most, as many as a schema's, so the channel has the schema's hash. */
const CHANNEL = part`'clinic_commits' || case current_schema() when 'public' then ''
  else '_' || md5(current_schema()) end`;

/** The channel to LISTEN on. */
export async function channelOf(on: Pick<Db, '$client'>): Promise<string> {
  const [row] = await sql<{ channel: string }>(on)`select ${CHANNEL} as channel`;
  if (!row) throw new Error('The database did not say its channel');
  return row.channel;
}

export async function notifyChannel(on: Pick<Db, '$client'>, payload: string): Promise<void> {
  await sql(on, 'notify')`select pg_notify(${CHANNEL}, ${payload})`;
}
