import { columnsOf } from '../../../database/column-types.ts';
import { type Db, type Tx, firstOf, hasRows, part, sql } from '../../../database/db.ts';
import { spellingsOf } from '../../../server/email-spellings.ts';
import { accountLink } from '../schema.ts';

/** How often a birth date and a card may be tried with one link. */
export const LINK_TRIES = 5;

export type AccountLink = Readonly<typeof accountLink.$inferSelect>;
export type NewAccountLink = Omit<AccountLink, 'tokenHash' | 'tries' | 'usedAt'>;

const LINKS = part`select ${columnsOf(accountLink, 'l')} from account_link l`;
const isOpen = (now: number) => part`l.used_at_s is null and l.expires_at_s > ${now}::bigint`;

/** Adds a link, and ends the older links of its record. */
export async function insertLink(tx: Tx, link: NewAccountLink): Promise<void> {
  const { id, kind, patientId, recordId, email, emailBefore, createdAt, expiresAt } = link;
  await endLinksOf(tx, recordId, createdAt);
  await sql(tx, 'account-link-insert')`
    insert into account_link
           (id, kind, patient_id, record_id, email, email_before, created_at_s, expires_at_s)
    values (${id}::uuid, ${kind}, ${patientId}::uuid, ${recordId}, ${email}, ${emailBefore},
            ${createdAt}, ${expiresAt})`;
}

export const endLinksOf = (tx: Tx, recordId: string, now: number) =>
  sql(tx, 'account-links-end')`
    update account_link l set expires_at_s = ${now} where l.record_id = ${recordId} and ${isOpen(now)}`;

/** Finds a link by id; null when it is unknown, used or expired. */
export const openLink = (db: Db, id: string, now: number) =>
  firstOf(sql<AccountLink>(db, 'account-link-open')`
    ${LINKS} where l.id = ${id}::uuid and ${isOpen(now)}`);

/** The links to an address that can still be opened. */
export const openLinksTo = (db: Db, email: string, now: number) =>
  sql<Pick<AccountLink, 'id'>>(db, 'account-links-to')`
    select l.id from account_link l
     where l.email = any(${spellingsOf(email)}::text[]) and ${isOpen(now)} and l.tries < ${LINK_TRIES}`;

/** The address that a link replaces, used or not; null for an invitation or an unknown link. */
export async function emailBeforeLink(db: Db, id: string): Promise<string | null> {
  const link = await firstOf(
    sql<AccountLink>(db, 'account-link')`${LINKS} where l.id = ${id}::uuid`,
  );
  return link?.emailBefore ?? null;
}

/** Finds a link by its token's hashes under each key; null unless it is open and has tries left. */
export const linkOfToken = (db: Db, hashes: readonly Uint8Array[], now: number) =>
  firstOf(sql<AccountLink>(db, 'account-link-of-token')`
    ${LINKS} where l.token_hash = any(${hashes}::bytea[]) and ${isOpen(now)} and l.tries < ${LINK_TRIES}`);

/** The newest open link of a record; null when it has no tries left, or there is none. */
export async function linkOfRecord(
  db: Db,
  recordId: string,
  now: number,
): Promise<AccountLink | null> {
  const newest = await firstOf(sql<AccountLink>(db, 'account-link-of-record')`
    ${LINKS} where l.record_id = ${recordId} and ${isOpen(now)}
     order by l.created_at_s desc, l.id desc limit 1`);
  return newest !== null && newest.tries < LINK_TRIES ? newest : null;
}

/** Stores the hash of a link's token, each time that the link is mailed. */
export const keepLinkHash = (tx: Tx, id: string, tokenHash: Uint8Array) =>
  sql(tx, 'account-link-hash')`
    update account_link set token_hash = ${tokenHash} where id = ${id}::uuid`;

/** Counts a try before it is checked; returns the number of tries, this one included. */
export async function countLinkTry(tx: Tx, id: string): Promise<number> {
  const [row] = await sql<{ tries: number }>(tx, 'account-link-try')`
    update account_link set tries = tries + 1 where id = ${id}::uuid returning tries`;
  return row?.tries ?? Number.POSITIVE_INFINITY;
}

/** Resets the tries once the details fit, so that other mistakes in the form use up none. */
export const forgetLinkTries = (tx: Tx, id: string) =>
  sql(tx, 'account-link-tries')`update account_link set tries = 0 where id = ${id}::uuid`;

/** Uses a link up: of two concurrent calls only one returns true. */
export const takeLink = (tx: Tx, id: string, now: number) =>
  hasRows(sql(tx, 'account-link-take')`
    update account_link l set used_at_s = ${now} where l.id = ${id}::uuid and ${isOpen(now)} returning l.id`);

const KEEP_SECONDS = 24 * 60 * 60;

/** Deletes links that expired more than a day ago. */
export const spentAccountLinks = (now: number) =>
  part`delete from account_link where expires_at_s < ${now - KEEP_SECONDS}`;
