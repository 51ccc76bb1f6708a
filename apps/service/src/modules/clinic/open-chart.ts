import { eq } from 'drizzle-orm';
import type { AppendAudit } from '../../platform/audit.ts';
import type { ServiceConfig } from '../../platform/config.ts';
import type { Database } from '../../platform/db.ts';
import type { Keyring } from '../../platform/keyring.ts';
import { patient } from '../../platform/schema.ts';
import { openCard } from '../../platform/sealed-card.ts';
import type { PatientId } from '../../platform/sessions.ts';
import type { ChartId, ClinicRecords } from '../../ports/clinic-records.ts';
import { patientOf } from '../account/index.ts';
import { hasChart } from './find-chart.ts';

export interface OpenChartPorts {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly records: Pick<ClinicRecords, 'getChart' | 'findChart' | 'createChart'>;
  readonly appendAudit: AppendAudit;
  readonly config: Pick<ServiceConfig, 'familyDoctorIds'>;
}

export interface OpenChartRequest {
  readonly patientId: PatientId;
  /** Whom the caller says to be: the account's id or the chart's number. */
  readonly id: string;
  readonly hasFamilyDoctor: boolean;
  /** What `familyDoc` says; `hasFamilyDoctor` decides. */
  readonly claimsFamilyDoctor: boolean | null;
}

export type OpenChartAnswer = 'opened' | 'alreadyThere' | 'notYours';

/**
 * Opens the caller's chart after the family-doctor question (§4, R-36), with one of the two configured
 * ids in the place of a doctor (§9). Who has a chart keeps it as it is.
 */
export async function openChart(
  { database, keyring, records, appendAudit, config }: OpenChartPorts,
  { patientId, id, hasFamilyDoctor, claimsFamilyDoctor }: OpenChartRequest,
  now: number,
): Promise<OpenChartAnswer> {
  const row = await patientOf(database.db, patientId);
  if (id !== row.id && id !== row.chartId) return 'notYours';
  const own = { ...row, cardNumber: openCard(keyring, row.id, row.cardSealed) };
  if (await hasChart(records, own)) return 'alreadyThere';
  const providerId = config.familyDoctorIds[hasFamilyDoctor ? 'yes' : 'no'];
  const { firstName, lastName, birthDate, cardProvince, cardNumber } = own;
  const { kind, chart } = await records.createChart({
    id: row.chartId as ChartId,
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
    const differs = claimsFamilyDoctor !== null && claimsFamilyDoctor !== hasFamilyDoctor;
    await appendAudit(tx, {
      actor: `patient:${patientId}`,
      action: 'chart opened',
      subject: `chart:${chart.id}`,
      details: { familyDoctor: hasFamilyDoctor, ...(differs ? { ignored: ['familyDoc'] } : {}) },
      at: now,
    });
  });
  return 'opened';
}
