import { and, asc, desc, eq, gt } from 'drizzle-orm';
import type { Db, Tx } from '../../database/db.ts';
import {
  appointment,
  appointmentType,
  message,
  payment,
  problemReport,
  recordsProvider,
  patient,
  session,
  storedFile,
} from '../../schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { RateRule } from '../../server/rates.ts';
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
