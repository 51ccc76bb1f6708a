import { and, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Db, type Tx, firstOf, hasRows, part } from '../../../database/db.ts';
import { spendCodes } from '../../../security/one-time-codes.store.ts';
import { pendingSignUp, refusedSignUp } from '../schema.ts';
import { type PatientSearch, isAt, namedBy } from '../store.ts';

// Sign-up forms whose links are not confirmed yet.

export type SignUpForm = typeof pendingSignUp.$inferSelect;

/** How many passwords may be tried with the link of one form. */
export const SIGN_UP_TRIES = 5;

const standing = (now: number) =>
  or(isNull(pendingSignUp.expiresAt), gt(pendingSignUp.expiresAt, now));
const mayBeTried = lt(pendingSignUp.tries, SIGN_UP_TRIES);

export async function insertForm(tx: Tx, form: typeof pendingSignUp.$inferInsert): Promise<void> {
  await tx.insert(pendingSignUp).values(form);
}

/** A form that has not expired, even without tries left, so that the caller can say which it is. */
export const signUpForm = (db: Db, id: string, now: number) =>
  firstOf(
    db
      .select()
      .from(pendingSignUp)
      .where(and(eq(pendingSignUp.id, id), standing(now))),
  );

/** The oldest form of the address that an email at that time still lists, and an hour after it. */
export async function firstFormOf(db: Db, email: string, at: number): Promise<string | null> {
  const [row] = await db
    .select({ id: pendingSignUp.id })
    .from(pendingSignUp)
    .where(and(isAt(pendingSignUp.email, email), standing(at + 3_600)))
    .orderBy(pendingSignUp.createdAt, pendingSignUp.id)
    .limit(1);
  return row?.id ?? null;
}

/** The id of the newest form of an address that can still be confirmed. */
export async function newestFormOf(db: Db, email: string, now: number): Promise<string | null> {
  const [row] = await db
    .select({ id: pendingSignUp.id })
    .from(pendingSignUp)
    .where(and(isAt(pendingSignUp.email, email), standing(now), mayBeTried))
    .orderBy(desc(pendingSignUp.createdAt), desc(pendingSignUp.id))
    .limit(1);
  return row?.id ?? null;
}

/** The forms of the same address as this one that can still be confirmed, the newest first. */
export function waitingFormsBeside(db: Db, id: string, now: number) {
  const one = alias(pendingSignUp, 'one');
  const { email, language, createdAt, expiresAt } = pendingSignUp;
  return db
    .select({ id: pendingSignUp.id, email, language, createdAt, expiresAt })
    .from(pendingSignUp)
    .innerJoin(one, and(eq(one.id, id), eq(one.email, email)))
    .where(and(standing(now), mayBeTried))
    .orderBy(desc(createdAt), desc(pendingSignUp.id));
}

/** Counts a password before it is tried; returns the count with it, null when the form is gone. */
export async function countPasswordTry(tx: Tx, id: string): Promise<number | null> {
  const [row] = await tx
    .update(pendingSignUp)
    .set({ tries: sql`${pendingSignUp.tries} + 1` })
    .where(eq(pendingSignUp.id, id))
    .returning({ tries: pendingSignUp.tries });
  return row?.tries ?? null;
}

export async function forgetPasswordTries(tx: Tx, id: string): Promise<void> {
  await tx.update(pendingSignUp).set({ tries: 0 }).where(eq(pendingSignUp.id, id));
}

/** Locks the forms of an address and returns their ids; confirming another of them waits. */
export async function lockFormsOf(tx: Tx, email: string): Promise<string[]> {
  const rows = await tx
    .select({ id: pendingSignUp.id })
    .from(pendingSignUp)
    .where(isAt(pendingSignUp.email, email))
    .orderBy(pendingSignUp.id)
    .for('update');
  return rows.map(({ id }) => id);
}

/** Ends the forms of an address that has an account now: the links of its other forms then say so. */
export async function endFormsOf(tx: Tx, email: string, now: number): Promise<void> {
  const ended = await tx
    .delete(pendingSignUp)
    .where(isAt(pendingSignUp.email, email))
    .returning({ id: pendingSignUp.id });
  await spendCodes(
    tx,
    'confirm',
    ended.map(({ id }) => id),
    now,
  );
}

/**
 * The sign-ups that can still be confirmed, the newest first, `limit` at most; with a `text`, only those
 * with it in their name or address. A sign-up whose `expiresAt` is null never expires.
 */
export async function pendingSignUps(
  db: Db,
  { text, limit, now }: Pick<PatientSearch, 'text' | 'limit'> & { readonly now: number },
) {
  const { firstName, lastName, email, expiresAt, createdAt, id } = pendingSignUp;
  const rows = db
    .select({ firstName, lastName, email, expiresAt })
    .from(pendingSignUp)
    .where(and(standing(now), mayBeTried))
    .orderBy(desc(createdAt), desc(id));
  return namedBy(text, text === null ? await rows.limit(limit) : await rows, limit);
}

/** How long a sign-up that was refused is kept for staff, in seconds. */
const REFUSED_KEPT = 30 * 24 * 60 * 60;

/** Has staff see to a sign-up that got no account. */
export async function noteRefusedSignUp(tx: Tx, formId: string, at: number): Promise<void> {
  await tx
    .insert(refusedSignUp)
    .values({ patientId: formId, at })
    .onConflictDoUpdate({ target: refusedSignUp.patientId, set: { at, seenAt: null } });
}

/** The sign-ups that got no account and wait for staff, the longest waiting first. */
export const refusedSignUps = (db: Db, limit: number) =>
  db
    .select({
      id: pendingSignUp.id,
      name: sql<string>`${pendingSignUp.lastName} || ', ' || ${pendingSignUp.firstName}`,
      birthDate: pendingSignUp.birthDate,
      email: pendingSignUp.email,
      phone: sql<string>`coalesce(nullif(${pendingSignUp.mobilePhone}, ''), nullif(${pendingSignUp.phone}, ''),
        ${pendingSignUp.internationalPhone})`,
      at: refusedSignUp.at,
    })
    .from(refusedSignUp)
    .innerJoin(pendingSignUp, eq(pendingSignUp.id, refusedSignUp.patientId))
    .where(isNull(refusedSignUp.seenAt))
    .orderBy(refusedSignUp.at, pendingSignUp.id)
    .limit(limit);

/** Staff have seen to a sign-up that was refused; false where it does not wait for them any more. */
export const noteSignUpSeen = (tx: Tx, id: string, now: number) =>
  hasRows(
    tx
      .update(refusedSignUp)
      .set({ seenAt: now })
      .where(and(eq(refusedSignUp.patientId, id), isNull(refusedSignUp.seenAt)))
      .returning({ id: refusedSignUp.patientId }),
  );

/** Deletes sign-ups that expired before anybody confirmed them, and refused ones that nobody waits for. */
export const spentSignUps = (now: number) => part`
  with refused as (
    delete from refused_sign_up r
     where not exists (select from pending_sign_up form where form.id = r.patient_id))
  delete from pending_sign_up form
   where expires_at_s <= ${now} and not exists (
     select from refused_sign_up r
      where r.patient_id = form.id and r.seen_at_s is null and r.at_s > ${now - REFUSED_KEPT})`;
