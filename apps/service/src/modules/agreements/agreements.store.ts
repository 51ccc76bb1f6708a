import { type AgreementTextKind, currentAgreement } from '@clinic/contract/agreements';
import type { AppendAudit } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db.ts';
import { agreement } from '../../platform/schema-accounts.ts';
import type { PatientId } from '../../platform/sessions.ts';
import type { Ids } from '../../ports/ids.ts';

export interface AgreementPorts {
  readonly ids: Ids;
  readonly appendAudit: AppendAudit;
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
