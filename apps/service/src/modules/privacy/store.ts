import { and, asc, desc, eq, gt } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import { run } from '../../database/statement.ts';
import {
  appointment,
  appointmentType,
  installation,
  message,
  payment,
  problemReport,
  recordsProvider,
  patient,
  session,
  storedFile,
} from '../../schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { RateRule } from '../../server/rate-limit.ts';
import { agreement } from './schema.ts';

/**
 * Whether the patient agreed as often as the rule allows: the seconds to wait for, 0 for none.
 * Locks the patient's row, so that what is asked at once counts too.
 */
export async function agreementsWait(
  tx: Tx,
  patientId: PatientId,
  { count, seconds }: RateRule,
  now: number,
): Promise<number> {
  await tx
    .select({ id: patient.id })
    .from(patient)
    .where(eq(patient.id, patientId))
    .for('no key update');
  const [reached] = await tx
    .select({ at: agreement.at })
    .from(agreement)
    .where(and(eq(agreement.patientId, patientId), gt(agreement.at, now - seconds)))
    .orderBy(desc(agreement.at))
    .offset(count - 1)
    .limit(1);
  return reached ? reached.at + seconds - now : 0;
}

export async function insertAgreement(tx: Tx, row: typeof agreement.$inferInsert): Promise<void> {
  await tx.insert(agreement).values(row);
}

/** What was agreed to, the newest first; of one patient or of all. */
export const agreementsOf = (
  db: Db,
  patientId: string | null,
  limit: number = Number.MAX_SAFE_INTEGER,
) =>
  db
    .select({
      patientId: agreement.patientId,
      kind: agreement.kind,
      version: agreement.version,
      textHash: agreement.textHash,
      at: agreement.at,
    })
    .from(agreement)
    .where(patientId === null ? undefined : eq(agreement.patientId, patientId))
    .orderBy(desc(agreement.at), desc(agreement.id))
    .limit(limit);

// What a patient is given. Every column is named, so that one that is added later is not handed
// out unawares.

export const ownAppointments = (db: Db, patientId: PatientId) =>
  db
    .select({
      id: appointment.id,
      type: appointment.type,
      description: appointmentType.description,
      state: appointment.state,
      start: appointment.start,
      end: appointment.end,
      doctorFirstName: recordsProvider.firstName,
      doctorLastName: recordsProvider.lastName,
      bookingNumber: appointment.bookingNumber,
      paidCents: appointment.paidCents,
      createdAt: appointment.createdAt,
      changedAt: appointment.changedAt,
      rescheduledFrom: appointment.rescheduledFrom,
      answersSealed: appointment.answersSealed,
    })
    .from(appointment)
    .leftJoin(appointmentType, eq(appointmentType.code, appointment.type))
    .leftJoin(recordsProvider, eq(recordsProvider.id, appointment.providerId))
    .where(eq(appointment.patientId, patientId))
    .orderBy(asc(appointment.start), asc(appointment.id));

export const ownPayments = (db: Db, patientId: PatientId) =>
  db
    .select({
      reference: payment.reference,
      appointmentId: payment.appointmentId,
      amountCents: payment.amountCents,
      state: payment.state,
      createdAt: payment.createdAt,
      changedAt: payment.changedAt,
    })
    .from(payment)
    .where(eq(payment.patientId, patientId))
    .orderBy(asc(payment.createdAt));

export const ownSessions = (db: Db, patientId: PatientId) =>
  db
    .select({
      signedInAt: session.createdAt,
      lastActiveAt: session.lastActiveAt,
      endedAt: session.revokedAt,
      device: session.device,
    })
    .from(session)
    .where(eq(session.patientId, patientId))
    .orderBy(asc(session.createdAt));

export const ownMessages = (db: Db, patientId: PatientId) =>
  db
    .select()
    .from(message)
    .where(eq(message.patientId, patientId))
    .orderBy(asc(message.startedAt), asc(message.id));

export const ownSuggestions = (db: Db, patientId: PatientId) =>
  db
    .select({
      id: problemReport.id,
      at: problemReport.at,
      messageSealed: problemReport.messageSealed,
    })
    .from(problemReport)
    .where(eq(problemReport.patientId, patientId))
    .orderBy(asc(problemReport.at));

/** The picture of one suggestion, which is large. */
export async function ownScreenshot(db: Db, patientId: PatientId, id: string) {
  const [row] = await db
    .select({ sealed: problemReport.screenshotSealed })
    .from(problemReport)
    .where(and(eq(problemReport.id, id), eq(problemReport.patientId, patientId)));
  return row?.sealed ?? null;
}

export const ownFiles = (db: Db, patientId: PatientId) =>
  db
    .select({
      id: storedFile.id,
      purpose: storedFile.purpose,
      mediaType: storedFile.mediaType,
      size: storedFile.size,
      createdAt: storedFile.createdAt,
    })
    .from(storedFile)
    .where(eq(storedFile.patientId, patientId))
    .orderBy(asc(storedFile.createdAt), asc(storedFile.id));

// The audit trail. A link of its chain is a number, counted from 1 in eight bytes, and a MAC.

export interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: Record<string, unknown>;
  readonly mac: Uint8Array;
  readonly chain: Uint8Array | null;
}

/** Only the database knows this number: one sealer at a time over all processes. */
const SEALERS_LEASE = 7_318_214;
const HEAD = 'audit-head';
const COLUMNS = 'id, at_s as at, actor, action, subject, details, mac, chain';

/** True for one transaction at a time, until it is over. */
export async function takeSealersLease(tx: Tx): Promise<boolean> {
  const text = `select pg_try_advisory_xact_lock(${SEALERS_LEASE}) as mine`;
  const [lease] = await run<{ mine: boolean }>(tx, { name: 'audit-lease', text }, []);
  return lease?.mine === true;
}

export function rowsWithoutLink(db: Db, most: number): Promise<AuditRow[]> {
  const text = `select ${COLUMNS} from audit where chain is null order by id limit $1`;
  return run(db, { name: 'audit-without-link', text }, [most]);
}

/** The next rows of the chain after a link, in its order. */
export function rowsAfter(db: Db, link: Uint8Array, most: number): Promise<AuditRow[]> {
  const text = `select ${COLUMNS} from audit where chain > $1 order by chain limit $2`;
  return run(db, { name: 'audit-after-link', text }, [link, most]);
}

/** The last link of the chain; of no bytes while there is none. */
export async function lastLink(db: Db): Promise<Uint8Array> {
  const text = 'select chain from audit where chain is not null order by chain desc limit 1';
  const [row] = await run<{ chain: Uint8Array }>(db, { name: 'audit-last-link', text }, []);
  return row?.chain ?? new Uint8Array();
}

/** Puts a link to each row, and notes the last one beside the trail. */
export async function writeLinks(
  tx: Tx,
  rows: readonly AuditRow[],
  links: readonly Uint8Array[],
): Promise<void> {
  const text = `update audit set chain = link.chain
                  from unnest($1::bigint[], $2::bytea[]) as link(id, chain)
                 where audit.id = link.id`;
  await run(tx, { name: 'audit-write-links', text }, [rows.map(({ id }) => id), links]);
  const value = Buffer.from(links.at(-1) ?? []).toString('hex');
  await tx
    .insert(installation)
    .values({ key: HEAD, value })
    .onConflictDoUpdate({ target: installation.key, set: { value } });
}

/** The link that the sealer noted last; of no bytes while there is none. */
export async function notedHead(db: Db): Promise<Uint8Array> {
  const [row] = await db
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.key, HEAD));
  return Buffer.from(row?.value ?? '', 'hex');
}
