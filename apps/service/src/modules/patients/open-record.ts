import { eq } from 'drizzle-orm';
import type { AppendAudit } from '../../security/audit.ts';
import type { ServiceConfig } from '../../server/config.ts';
import type { Database } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import { patient } from './schema.ts';
import { openCard } from '../../security/sealed-card.ts';
import type { PatientId } from '../../security/sessions.ts';
import type { RecordId, Emr } from '../records/emr.ts';
import { patientOf } from './patients.store.ts';
import { hasRecord } from './find-record.ts';

export interface OpenRecordPorts {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly emr: Pick<Emr, 'getRecord' | 'findRecord' | 'createRecord'>;
  readonly appendAudit: AppendAudit;
  readonly config: Pick<ServiceConfig, 'familyDoctorIds'>;
}

export interface OpenRecordRequest {
  readonly patientId: PatientId;
  /** Whom the caller says to be: the account's id or the record's number. */
  readonly id: string;
  readonly hasFamilyDoctor: boolean;
  /** What `familyDoc` says; `hasFamilyDoctor` decides. */
  readonly saysFamilyDoctor: boolean | null;
}

export type OpenRecordAnswer = 'opened' | 'alreadyThere' | 'notYours';

/**
 * Opens the caller's record after the family-doctor question (§4, R-36), with one of the two configured
 * ids in the place of a doctor (§9). Who has a record keeps it as it is.
 */
export async function openRecord(
  { database, keyring, emr, appendAudit, config }: OpenRecordPorts,
  { patientId, id, hasFamilyDoctor, saysFamilyDoctor }: OpenRecordRequest,
  now: number,
): Promise<OpenRecordAnswer> {
  const row = await patientOf(database.db, patientId);
  if (id !== row.id && id !== row.recordId) return 'notYours';
  const own = { ...row, cardNumber: openCard(keyring, row.id, row.cardSealed) };
  if (await hasRecord(emr, own)) return 'alreadyThere';
  const providerId = config.familyDoctorIds[hasFamilyDoctor ? 'yes' : 'no'];
  const { firstName, lastName, birthDate, cardProvince, cardNumber } = own;
  const { kind, record } = await emr.createRecord({
    id: row.recordId as RecordId,
    firstName,
    lastName,
    birthDate,
    cardProvince,
    cardNumber,
    providerId,
  });
  if (kind === 'alreadyThere') return 'alreadyThere';
  await database.inTransaction(async (tx) => {
    await tx
      .update(patient)
      .set({ familyDoctor: hasFamilyDoctor })
      .where(eq(patient.id, patientId));
    const differs = saysFamilyDoctor !== null && saysFamilyDoctor !== hasFamilyDoctor;
    await appendAudit(tx, {
      actor: `patient:${patientId}`,
      action: 'chart opened',
      subject: `record:${record.id}`,
      details: { familyDoctor: hasFamilyDoctor, ...(differs ? { ignored: ['familyDoc'] } : {}) },
      at: now,
    });
  });
  return 'opened';
}
