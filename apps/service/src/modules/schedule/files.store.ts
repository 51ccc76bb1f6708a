import { isAppointmentTypeCode, isEligibility, whyFeesRefused } from '@clinic/domain';
import type { AppointmentTypeCode, Eligibility, PolicyProblem } from '@clinic/domain';
import { sql } from 'drizzle-orm';

import type { Tx } from '../../database/db.ts';
import { saveProviders } from '../records/index.ts';
import { appointmentType, feePolicy, providerPolicy } from './schema.ts';
import {
  type Importing,
  type TableProblem,
  type TableRow,
  date,
  dollars,
  doubled,
  eligibility,
  filledWords,
  identifier,
  providerStatus,
  typeCode,
  words,
  yesOrNo,
} from '../../server/csv-import.ts';

interface TypeRow {
  readonly code: AppointmentTypeCode;
  readonly description: string;
  readonly enforceMrp: boolean;
  readonly enforceNoPcp: boolean;
  readonly requiresDocuments: boolean;
}

/** Appointment types, in the order in which patients see them. */
export const typesFile: Importing<TypeRow> = {
  what: 'types',
  columns: {
    code: typeCode,
    description: filledWords(60),
    enforceMrp: yesOrNo,
    enforceNoPcp: yesOrNo,
    requiresDocuments: yesOrNo,
  },
  check: (_tx, rows) => doubled(rows, 'code'),
  async write(tx, rows) {
    await tx
      .insert(appointmentType)
      .values(rows.map((row, position) => ({ ...row, position })))
      .onConflictDoUpdate({
        target: appointmentType.code,
        set: {
          description: sql`excluded.description`,
          position: sql`excluded.position`,
          enforceMrp: sql`excluded.enforce_mrp`,
          enforceNoPcp: sql`excluded.enforce_no_pcp`,
          requiresDocuments: sql`excluded.requires_documents`,
        },
      });
  },
};

interface FeeRow {
  readonly type: AppointmentTypeCode;
  readonly eligibility: Eligibility;
  readonly validFrom: string;
  readonly charge: number;
  readonly notice: string;
}

const sentences: Readonly<Record<PolicyProblem['code'], string>> = {
  chargeForbidden: 'charges a covered patient, which the Medicare Protection Act forbids (R-32)',
  chargeInvalid: 'is no whole number of cents',
  rowMissing: 'has no row; every type needs one for each eligibility',
  rowTwice: 'has two rows',
};

/** What each type costs each eligibility from a date on; the whole table must stand. */
export const feesFile: Importing<FeeRow> = {
  what: 'fees',
  columns: {
    type: typeCode,
    eligibility,
    validFrom: date,
    charge: dollars,
    notice: words(1_000).prefault(''),
  },
  async check(tx, rows) {
    const twice = doubled(rows, 'type', (row) => `${row.type} ${row.eligibility} ${row.validFrom}`);
    return twice.length > 0 ? twice : policyProblems(await standingFees(tx), rows);
  },
  async write(tx, rows) {
    await tx
      .insert(feePolicy)
      .values(
        rows.map(({ type, eligibility: of, validFrom, charge, notice }) => ({
          type,
          eligibility: of,
          validFrom,
          chargeCents: charge,
          notice: notice === '' ? null : notice,
        })),
      )
      .onConflictDoUpdate({
        target: [feePolicy.type, feePolicy.eligibility, feePolicy.validFrom],
        set: { chargeCents: sql`excluded.charge_cents`, notice: sql`excluded.notice` },
      });
  },
};

type Fee = Pick<FeeRow, 'type' | 'eligibility' | 'validFrom' | 'charge'>;

async function standingFees(tx: Tx): Promise<Fee[]> {
  const rows = await tx.select().from(feePolicy);
  return rows.flatMap(({ type, eligibility: of, validFrom, chargeCents }) =>
    isAppointmentTypeCode(type) && isEligibility(of)
      ? [{ type, eligibility: of, validFrom, charge: chargeCents }]
      : [],
  );
}

/** On each day on which something of this file begins to hold, the policy is whole and lawful. */
function policyProblems(
  standing: readonly Fee[],
  rows: readonly TableRow<FeeRow>[],
): TableProblem[] {
  const keyOf = (fee: Fee) => `${fee.type} ${fee.eligibility} ${fee.validFrom}`;
  const lines = new Map(rows.map(({ row, line }) => [keyOf(row), line]));
  const all = [
    ...standing.filter((fee) => !lines.has(keyOf(fee))),
    ...rows.map(({ row }) => row),
  ].sort((one, other) => (one.validFrom < other.validFrom ? -1 : 1));
  const found = new Map<string, TableProblem>();
  for (const day of new Set(rows.map(({ row }) => row.validFrom))) {
    const newest = new Map<string, Fee>();
    for (const fee of all)
      if (fee.validFrom <= day) newest.set(`${fee.type} ${fee.eligibility}`, fee);
    const policy = [...newest.values()].map(({ charge, ...fee }) => ({
      ...fee,
      chargeCents: charge,
    }));
    for (const { code, type, eligibility: of } of whyFeesRefused(policy)) {
      const line = lines.get(`${type} ${of} ${day}`) ?? rows.at(-1)?.line ?? 1;
      const column = code === 'rowMissing' ? 'type' : 'charge';
      const why = `${type} for ${of} from ${day} ${sentences[code]}`;
      found.set(`${type} ${of} ${code}`, { line, column, why });
    }
  }
  return [...found.values()];
}

interface ProviderRow {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly status: string;
  readonly disabled: boolean;
  readonly comment: string;
  readonly hidden: boolean;
  readonly familyOnly: boolean;
  readonly noPcp: boolean;
}

/** Doctors and nurse practitioners, with what the clinic decides about each. */
export const providersFile: Importing<ProviderRow> = {
  what: 'providers',
  columns: {
    id: identifier,
    firstName: filledWords(60),
    lastName: filledWords(60),
    status: providerStatus,
    disabled: yesOrNo,
    comment: words(200).prefault(''),
    hidden: yesOrNo,
    familyOnly: yesOrNo,
    noPcp: yesOrNo,
  },
  check: (_tx, rows) => doubled(rows, 'id'),
  async write(tx, rows) {
    await saveProviders(
      tx,
      rows.map(({ id, firstName, lastName, status }) => ({ id, firstName, lastName, status })),
    );
    await tx
      .insert(providerPolicy)
      .values(
        rows.map(({ id, disabled, comment, hidden, familyOnly, noPcp }) => ({
          providerId: id,
          disabled,
          comment,
          hidden,
          familyOnly,
          noPcp,
        })),
      )
      .onConflictDoUpdate({
        target: providerPolicy.providerId,
        set: {
          disabled: sql`excluded.disabled`,
          comment: sql`excluded.comment`,
          hidden: sql`excluded.hidden`,
          familyOnly: sql`excluded.family_only`,
          noPcp: sql`excluded.no_pcp`,
        },
      });
  },
};
