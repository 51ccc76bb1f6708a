import { and, desc, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import { type Db, type Tx, part } from '../../../database/db.ts';
import { spellingsOf } from '../../../server/email-spellings.ts';
import { accountLink } from '../schema.ts';

/** How often a birth date and a card may be tried with one link. */
export const LINK_TRIES = 5;

export type AccountLink = typeof accountLink.$inferSelect;
export type NewAccountLink = Pick<
  AccountLink,
  'id' | 'kind' | 'patientId' | 'recordId' | 'email' | 'emailBefore' | 'createdAt' | 'expiresAt'
>;

const isOpen = (now: number) => and(isNull(accountLink.usedAt), gt(accountLink.expiresAt, now));

/** Adds a link, and ends the older links of its record. */
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

/** Finds a link by id; null when it is unknown, used or expired. */
export async function openLink(db: Db, id: string, now: number): Promise<AccountLink | null> {
  const [row] = await db
    .select()
    .from(accountLink)
    .where(and(eq(accountLink.id, id), isOpen(now)));
  return row ?? null;
}

/** The links to an address that can still be opened. */
export const openLinksTo = (db: Db, email: string, now: number) =>
  db
    .select({ id: accountLink.id })
    .from(accountLink)
    .where(
      and(
        inArray(accountLink.email, spellingsOf(email)),
        isOpen(now),
        lt(accountLink.tries, LINK_TRIES),
      ),
    );

/** The address that a link replaces, used or not; null for an invitation or an unknown link. */
export async function emailBeforeLink(db: Db, id: string): Promise<string | null> {
  const { emailBefore } = accountLink;
  const [row] = await db.select({ emailBefore }).from(accountLink).where(eq(accountLink.id, id));
  return row?.emailBefore ?? null;
}

/** Finds a link by its token's hashes under each key; null unless it is open and has tries left. */
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

/** The newest open link of a record; null when it has no tries left, or there is none. */
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

/** Stores the hash of a link's token, each time that the link is mailed. */
export async function keepLinkHash(tx: Tx, id: string, tokenHash: Uint8Array): Promise<void> {
  await tx.update(accountLink).set({ tokenHash }).where(eq(accountLink.id, id));
}

/** Counts a try before it is checked; returns the number of tries, this one included. */
export async function countLinkTry(tx: Tx, id: string): Promise<number> {
  const [row] = await tx
    .update(accountLink)
    .set({ tries: sql`${accountLink.tries} + 1` })
    .where(eq(accountLink.id, id))
    .returning({ tries: accountLink.tries });
  return row?.tries ?? Number.POSITIVE_INFINITY;
}

/** Resets the tries once the details fit, so that other mistakes in the form use up none. */
export async function forgetLinkTries(tx: Tx, id: string): Promise<void> {
  await tx.update(accountLink).set({ tries: 0 }).where(eq(accountLink.id, id));
}

/** Uses a link up: of two concurrent calls only one returns true. */
export async function takeLink(tx: Tx, id: string, now: number): Promise<boolean> {
  const taken = await tx
    .update(accountLink)
    .set({ usedAt: now })
    .where(and(eq(accountLink.id, id), isOpen(now)))
    .returning({ id: accountLink.id });
  return taken.length > 0;
}

const KEEP_SECONDS = 24 * 60 * 60;

/** Deletes links that expired more than a day ago. */
export const spentAccountLinks = (now: number) =>
  part`delete from account_link where expires_at_s < ${now - KEEP_SECONDS}`;
