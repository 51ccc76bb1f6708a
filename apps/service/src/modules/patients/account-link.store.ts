import { and, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { type Db, type Tx, part } from '../../database/db.ts';
import { accountLink } from './schema.ts';

/** Birth dates and cards that may be tried behind one link. */
export const LINK_TRIES = 5;

export type AccountLink = typeof accountLink.$inferSelect;
export type NewAccountLink = Pick<
  AccountLink,
  'id' | 'kind' | 'patientId' | 'recordId' | 'email' | 'emailBefore' | 'createdAt' | 'expiresAt'
>;

const isOpen = (now: number) => and(isNull(accountLink.usedAt), gt(accountLink.expiresAt, now));

/** A newer link ends the older ones of the record. */
export async function insertLink(tx: Tx, link: NewAccountLink): Promise<void> {
  await endLinksOf(tx, link.recordId, link.createdAt);
  await tx.insert(accountLink).values(link);
}

export async function endLinksOf(tx: Tx, recordId: string, now: number): Promise<void> {
  await tx
    .update(accountLink)
    .set({ expiresAt: now })
    .where(and(eq(accountLink.recordId, recordId), isOpen(now)));
}

/** While it can be opened. */
export async function openLink(db: Db, id: string, now: number): Promise<AccountLink | null> {
  const [row] = await db
    .select()
    .from(accountLink)
    .where(and(eq(accountLink.id, id), isOpen(now)));
  return row ?? null;
}

/** The address that a link is to replace, whether it was opened meanwhile or not. */
export async function emailBeforeLink(db: Db, id: string): Promise<string | null> {
  const { emailBefore } = accountLink;
  const [row] = await db.select({ emailBefore }).from(accountLink).where(eq(accountLink.id, id));
  return row?.emailBefore ?? null;
}

/** The link of a token, by its hashes under each key, while it can be opened and tried. */
export async function linkOfToken(
  db: Db,
  hashes: readonly Uint8Array[],
  now: number,
): Promise<AccountLink | null> {
  const [row] = await db
    .select()
    .from(accountLink)
    .where(and(inArray(accountLink.tokenHash, [...hashes]), isOpen(now)));
  return row !== undefined && row.tries < LINK_TRIES ? row : null;
}

/** The link that was mailed last for a record, while it can be opened and tried. */
export async function linkOfRecord(
  db: Db,
  recordId: string,
  now: number,
): Promise<AccountLink | null> {
  const [row] = await db
    .select()
    .from(accountLink)
    .where(and(eq(accountLink.recordId, recordId), isOpen(now)))
    .orderBy(desc(accountLink.createdAt), desc(accountLink.id))
    .limit(1);
  return row !== undefined && row.tries < LINK_TRIES ? row : null;
}

/** Each time it is mailed. */
export async function keepLinkHash(tx: Tx, id: string, tokenHash: Uint8Array): Promise<void> {
  await tx.update(accountLink).set({ tokenHash }).where(eq(accountLink.id, id));
}

/** Counts a try before it is judged; gives how many there were, this one included. */
export async function countLinkTry(tx: Tx, id: string): Promise<number> {
  const [row] = await tx
    .update(accountLink)
    .set({ tries: sql`${accountLink.tries} + 1` })
    .where(eq(accountLink.id, id))
    .returning({ tries: accountLink.tries });
  return row?.tries ?? Number.POSITIVE_INFINITY;
}

/** The details fitted: what else is wrong with a form uses up no try. */
export async function forgetLinkTries(tx: Tx, id: string): Promise<void> {
  await tx.update(accountLink).set({ tries: 0 }).where(eq(accountLink.id, id));
}

/** Uses a link up, once: the second of two at the same time is told no. */
export async function takeLink(tx: Tx, id: string, now: number): Promise<boolean> {
  const taken = await tx
    .update(accountLink)
    .set({ usedAt: now })
    .where(and(eq(accountLink.id, id), isOpen(now)))
    .returning({ id: accountLink.id });
  return taken.length > 0;
}

const KEEP_SECONDS = 24 * 60 * 60;

/** Links that have been over for a day. */
export const spentAccountLinks = (now: number) =>
  part`delete from account_link where expires_at_s < ${now - KEEP_SECONDS}`;
