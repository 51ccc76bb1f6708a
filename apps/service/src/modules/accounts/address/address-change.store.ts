import { and, desc, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm';
import { type AddressStanding, addressStanding } from '@clinic/domain';
import { type Db, type Tx, firstOf, part } from '../../../database/db.ts';
import { spellingsOf } from '../../../server/email-spellings.ts';
import { emailChange, patient } from '../schema.ts';

export type EmailChange = typeof emailChange.$inferSelect;

const isWaiting = and(
  isNull(emailChange.doneAt),
  isNull(emailChange.overAt),
  isNull(emailChange.stoppedAt),
);
const isFrozen = and(isNotNull(emailChange.stoppedAt), isNull(emailChange.decidedAt));

/** Adds a change, and ends the one of its account that waits. */
export async function insertChange(
  tx: Tx,
  change: Pick<
    EmailChange,
    'id' | 'patientId' | 'email' | 'emailBefore' | 'isMailboxLost' | 'begunAt' | 'releasedAt'
  >,
): Promise<void> {
  await endWaiting(tx, change.patientId, change.begunAt);
  await tx.insert(emailChange).values(change);
}

/** Ends what waits of an account. */
export const endWaiting = (tx: Tx, patientId: string, overAt: number) =>
  tx
    .update(emailChange)
    .set({ overAt })
    .where(and(eq(emailChange.patientId, patientId), isWaiting));

export const updateChange = (tx: Tx, id: string, change: Partial<EmailChange>) =>
  tx.update(emailChange).set(change).where(eq(emailChange.id, id));

/** What a manager decides on: what was stopped. */
export const decideStopped = (tx: Tx, patientId: string, decidedAt: number) =>
  tx
    .update(emailChange)
    .set({ decidedAt })
    .where(and(eq(emailChange.patientId, patientId), isFrozen))
    .returning();

export const changeOf = (db: Db, id: string) =>
  firstOf(db.select().from(emailChange).where(eq(emailChange.id, id)));

export const changeOfToken = (db: Db, hashes: readonly Uint8Array[]) =>
  firstOf(db.select().from(emailChange).where(inArray(emailChange.tokenHash, hashes)));

/** The changes of an account, the newest first. */
export const changesOf = (db: Db, patientId: string) =>
  db
    .select()
    .from(emailChange)
    .where(eq(emailChange.patientId, patientId))
    .orderBy(desc(emailChange.begunAt), desc(emailChange.id));

/** What an account may do now; see `addressStanding`. */
export async function standingOfAddress(
  db: Db,
  patientId: string,
  now: number,
): Promise<AddressStanding> {
  const [row] = await db
    .select({ passwordResetAt: patient.passwordResetAt, closedAt: patient.closedAt })
    .from(patient)
    .where(eq(patient.id, patientId));
  const changes = await changesOf(db, patientId);
  return addressStanding({ changes, passwordResetAt: null, closedAt: null, ...row }, now);
}

/** The changes that wait, for the job. */
export const waitingChanges = (db: Db) =>
  db.select().from(emailChange).where(isWaiting).orderBy(emailChange.begunAt).limit(500);

/** A new address that waits or was stopped; null when nobody has to decide. */
export const openChangeOf = (db: Db, patientId: string) =>
  firstOf(
    db
      .select()
      .from(emailChange)
      .where(and(eq(emailChange.patientId, patientId), or(isWaiting, isFrozen)))
      // What was stopped comes first: nothing goes on before it is decided.
      .orderBy(emailChange.stoppedAt, desc(emailChange.begunAt))
      .limit(1),
  );

/** What `addressStanding` calls emails to nobody, for the lists that say who is called; of a row `c`. */
export const SILENCES = part`(case when c.done_at_s is not null
  then c.stopped_at_s is not null and c.decided_at_s is null
  else c.is_mailbox_lost and c.over_at_s is null and (c.stopped_at_s is null or c.decided_at_s is null)
  end)`;

/** The accounts with this address to which nobody may write now: their patients have to be called. */
export async function isSilenced(db: Db, email: string, now: number): Promise<boolean> {
  const [account] = await db
    .select({ id: patient.id })
    .from(patient)
    .innerJoin(emailChange, eq(emailChange.patientId, patient.id))
    .where(and(inArray(patient.email, spellingsOf(email)), isNull(patient.closedAt)))
    .limit(1);
  if (account === undefined) return false;
  return (await standingOfAddress(db, account.id, now)).emailsTo === 'nobody';
}

/** The open accounts to which nobody may write now. */
export const accountsToCall = (db: Db, limit: number) =>
  db
    .select({
      id: patient.id,
      recordId: patient.recordId,
      firstName: patient.firstName,
      lastName: patient.lastName,
      at: emailChange.begunAt,
    })
    .from(emailChange)
    .innerJoin(patient, eq(patient.id, emailChange.patientId))
    .where(
      and(
        isNull(patient.closedAt),
        or(isFrozen, and(isWaiting, eq(emailChange.isMailboxLost, true))),
      ),
    )
    .orderBy(desc(emailChange.begunAt))
    .limit(limit);

const KEEP_SECONDS = 30 * 86_400;

/** Deletes the changes that were done, over or decided a month ago. */
export const spentEmailChanges = (now: number) =>
  part`delete from email_change
        where (done_at_s is not null or over_at_s is not null or stopped_at_s is not null)
          and (stopped_at_s is null or decided_at_s is not null)
          and greatest(done_at_s, over_at_s, decided_at_s) < ${now - KEEP_SECONDS}`;
