import { and, desc, eq, lte } from 'drizzle-orm';
import type { ClinicDate } from '@clinic/domain';
import type { Db } from '../../database/db.ts';
import { appointmentType, feePolicy } from '../../schema.ts';

export interface TypeWithFee {
  readonly code: string;
  readonly description: string;
  readonly enforceMrp: boolean;
  readonly enforceNoPcp: boolean;
  readonly requiresDocuments: boolean;
  readonly chargeCents: number;
  /** The Important Notice, where the policy has one. */
  readonly notice: string | null;
}

/**
 * Every type with what it costs a patient of that eligibility on that day, in the clinic's order. Types
 * of different imports may stand at one place.
 */
export async function typesFor(
  db: Db,
  eligibility: string,
  today: ClinicDate,
): Promise<readonly TypeWithFee[]> {
  const rows = await db
    .selectDistinctOn([appointmentType.position, appointmentType.code], {
      code: appointmentType.code,
      description: appointmentType.description,
      enforceMrp: appointmentType.enforceMrp,
      enforceNoPcp: appointmentType.enforceNoPcp,
      requiresDocuments: appointmentType.requiresDocuments,
      chargeCents: feePolicy.chargeCents,
      notice: feePolicy.notice,
    })
    .from(appointmentType)
    .innerJoin(
      feePolicy,
      and(
        eq(feePolicy.type, appointmentType.code),
        eq(feePolicy.eligibility, eligibility),
        lte(feePolicy.validFrom, today),
      ),
    )
    .orderBy(appointmentType.position, appointmentType.code, desc(feePolicy.validFrom));
  return rows;
}
