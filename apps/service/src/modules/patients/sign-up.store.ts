import { and, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Db, type Tx, part } from '../../database/db.ts';
import { pendingSignUp } from './schema.ts';

export type SignUpForm = typeof pendingSignUp.$inferSelect;

/** Passwords that may be tried behind the links of one form. */
export const SIGN_UP_TRIES = 5;

const standing = (now: number) =>
  or(isNull(pendingSignUp.expiresAt), gt(pendingSignUp.expiresAt, now));
const mayBeTried = lt(pendingSignUp.tries, SIGN_UP_TRIES);

export async function insertForm(tx: Tx, form: typeof pendingSignUp.$inferInsert): Promise<void> {
  await tx.insert(pendingSignUp).values(form);
}

/** The form, unless it is over; one whose tries are used up is still told so. */
export async function signUpForm(db: Db, id: string, now: number): Promise<SignUpForm | null> {
  const [row] = await db
    .select()
    .from(pendingSignUp)
    .where(and(eq(pendingSignUp.id, id), standing(now)));
  return row ?? null;
}

/** The id of the newest form of an address that can still be confirmed. */
export async function newestFormOf(db: Db, email: string, now: number): Promise<string | null> {
  const [row] = await db
    .select({ id: pendingSignUp.id })
    .from(pendingSignUp)
    .where(and(eq(pendingSignUp.email, email), standing(now), mayBeTried))
    .orderBy(desc(pendingSignUp.createdAt), desc(pendingSignUp.id))
    .limit(1);
  return row?.id ?? null;
}

/** The forms of the same address as this one that can still be confirmed, the newest first. */
export function waitingFormsBeside(db: Db, id: string, now: number) {
  const one = alias(pendingSignUp, 'one');
  return db
    .select({
      id: pendingSignUp.id,
      email: pendingSignUp.email,
      createdAt: pendingSignUp.createdAt,
      expiresAt: pendingSignUp.expiresAt,
    })
    .from(pendingSignUp)
    .innerJoin(one, and(eq(one.id, id), eq(one.email, pendingSignUp.email)))
    .where(and(standing(now), mayBeTried))
    .orderBy(desc(pendingSignUp.createdAt), desc(pendingSignUp.id));
}

/** Counts a password before it is tried; gives how many there were, this one included. */
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

/** The ids of an address's forms; whoever confirms another one of them waits until this is over. */
export async function lockFormsOf(tx: Tx, email: string): Promise<string[]> {
  const rows = await tx
    .select({ id: pendingSignUp.id })
    .from(pendingSignUp)
    .where(eq(pendingSignUp.email, email))
    .orderBy(pendingSignUp.id)
    .for('update');
  return rows.map(({ id }) => id);
}

export async function endFormsOf(tx: Tx, email: string): Promise<void> {
  await tx.delete(pendingSignUp).where(eq(pendingSignUp.email, email));
}

/**
 * The sign-ups that can still be confirmed, the newest first, `limit` at most; with a `text`, those
 * that have it in their name or address. With `expiresAt` null one waits without end.
 */
export function pendingSignUps(
  db: Db,
  {
    now,
    limit,
    text,
  }: { readonly now: number; readonly limit: number; readonly text: string | null },
) {
  const { firstName, lastName, email } = pendingSignUp;
  const sought =
    text === null
      ? undefined
      : sql`position(${text.toLowerCase()} in lower(${firstName} || ' ' || ${lastName} || ' ' || ${email})) > 0`;
  return db
    .select({ firstName, lastName, email, expiresAt: pendingSignUp.expiresAt })
    .from(pendingSignUp)
    .where(and(standing(now), mayBeTried, sought))
    .orderBy(desc(pendingSignUp.createdAt), desc(pendingSignUp.id))
    .limit(limit);
}

/** Sign-ups that nobody confirmed. */
export const spentSignUps = (now: number) =>
  part`delete from pending_sign_up where expires_at_s <= ${now}`;
