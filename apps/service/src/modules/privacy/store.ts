import { and, asc, eq } from 'drizzle-orm';
import type { Db } from '../../database/db.ts';
import {
  appointment,
  appointmentType,
  payment,
  problemReport,
  recordsProvider,
  session,
  storedFile,
} from '../../schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';

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
