import { and, eq, inArray, notExists } from 'drizzle-orm';

import type { Db, Tx } from '../../database/db.ts';
import {
  knownDevice,
  medicalProfile,
  oneTimeCode,
  message,
  messageEntry,
  messageFile,
  messageVersion,
  problemReport,
  storedFile,
  payment,
  appointment,
  patient,
  patientRecord,
  session,
  appointmentStep,
} from '../../schema.ts';
import { run } from '../../database/statement.ts';

/** When something was last entered about a patient. */
export interface LastEntry {
  readonly patientId: string;
  readonly recordId: string;
  readonly birthDate: string;
  readonly lastEntryAt: number;
}

const lastEntries = {
  name: 'retention-last-entries',
  text: `
    select p.id as "patientId", p.record_id as "recordId", p.birth_date::text as "birthDate",
           greatest(
             p.created_at_s,
             coalesce((select max(greatest(c.changed_at_s, c.end_s)) from appointment c where c.patient_id = p.id), 0),
             coalesce((select max(m.changed_at_s) from message m where m.patient_id = p.id), 0),
             coalesce((select max(f.created_at_s) from stored_file f where f.patient_id = p.id), 0),
             coalesce((select max(y.changed_at_s) from payment y where y.patient_id = p.id), 0),
             coalesce((select max(a.at_s) from agreement a where a.patient_id = p.id), 0),
             coalesce((select max(r.at_s) from problem_report r where r.patient_id = p.id), 0),
             coalesce((select max(i.changed_at_s) from medical_profile i where i.patient_id = p.id), 0)
           ) as "lastEntryAt"
      from patient p
     where p.role = 'patient' and ($1::uuid is null or p.id > $1::uuid)
     order by p.id limit 500`,
};

/** The next patients after one, in the order of their ids. */
export const nextLastEntries = (db: Db, after: string | null): Promise<LastEntry[]> =>
  run<LastEntry>(db, lastEntries, [after]);

/** Takes everything about a patient out. What stays names them by a random id alone. */
export async function erasePatient(tx: Tx, patientId: string, recordId: string): Promise<void> {
  const own = { messages: eq(message.patientId, patientId) };
  const entries = tx
    .select({ id: messageEntry.id })
    .from(messageEntry)
    .innerJoin(message, eq(message.id, messageEntry.messageId))
    .where(own.messages);
  await tx.delete(messageVersion).where(inArray(messageVersion.entryId, entries));
  await tx.delete(messageFile).where(inArray(messageFile.entryId, entries));
  const messages = tx.select({ id: message.id }).from(message).where(own.messages);
  await tx.delete(messageEntry).where(inArray(messageEntry.messageId, messages));
  await tx.delete(message).where(own.messages);
  await tx.delete(storedFile).where(eq(storedFile.patientId, patientId));
  await tx.delete(problemReport).where(eq(problemReport.patientId, patientId));
  await tx.delete(medicalProfile).where(eq(medicalProfile.patientId, patientId));
  await tx.delete(oneTimeCode).where(eq(oneTimeCode.patientId, patientId));
  await tx.delete(session).where(eq(session.patientId, patientId));
  await tx.delete(knownDevice).where(eq(knownDevice.patientId, patientId));
  await tx.delete(payment).where(eq(payment.patientId, patientId));
  const appointments = tx
    .select({ id: appointment.id })
    .from(appointment)
    .where(eq(appointment.patientId, patientId));
  await tx.delete(appointmentStep).where(inArray(appointmentStep.appointmentId, appointments));
  await tx.delete(appointment).where(eq(appointment.patientId, patientId));
  await tx.delete(patient).where(eq(patient.id, patientId));
  // Who signed up again after the account was closed has the same record.
  const others = tx.select({ id: patient.id }).from(patient).where(eq(patient.recordId, recordId));
  await tx.delete(patientRecord).where(and(eq(patientRecord.id, recordId), notExists(others)));
}
