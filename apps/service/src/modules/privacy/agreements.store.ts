import { and, desc, eq, gt } from 'drizzle-orm';
import { type AgreementTextKind, currentAgreement } from '@clinic/contract/agreements';
import type { AppendAudit } from '../../security/audit.ts';
import type { Tx } from '../../database/db.ts';
import type { RateRule } from '../../server/rate-limit.ts';
import { agreement } from './schema.ts';
import { patient } from '../../schema.ts';
import type { PatientId } from '../../security/sessions.ts';
import type { Ids } from '../../server/ids.ts';

export interface AgreementPorts {
  readonly ids: Ids;
  readonly appendAudit: AppendAudit;
}

/**
 * Whether the patient agreed as often as the rule allows (S-5): the seconds to wait for, 0 for none.
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

/** Writes down that the patient agrees to the current text of a kind, by version and hash. */
export async function recordAgreement(
  { ids, appendAudit }: AgreementPorts,
  tx: Tx,
  patientId: PatientId,
  kind: AgreementTextKind,
  now: number,
): Promise<void> {
  const { version, hash } = currentAgreement(kind);
  const id = ids.uuid();
  await tx.insert(agreement).values({ id, patientId, kind, version, textHash: hash, at: now });
  await appendAudit(tx, {
    actor: `patient:${patientId}`,
    action: 'agreement saved',
    subject: `agreement:${id}`,
    details: { kind, version },
    at: now,
  });
}
