import type { Doctor, EpochSeconds } from '@clinic/domain';

import type { Db } from '../../platform/db.ts';
import type { PatientId } from '../../platform/sessions.ts';
import { run } from '../../platform/statement.ts';
import type { Statement } from '../../platform/statement.ts';
import { claimOf, CLAIM_COLUMNS } from './claim-rows.ts';
import type { ClaimRow } from './claim-rows.ts';
import type { Claim } from './claim.ts';
import { holdNamedBy } from './request-key.ts';

/** A visit of the list: what became of a claim, and who and what it names. */
export interface ListedVisit {
  readonly claim: Claim;
  readonly description: string;
  /** Null when the records do not know the provider (any more). */
  readonly doctor: Doctor | null;
}

const VISIT_SQL = `
  select ${CLAIM_COLUMNS}, coalesce(t.description, '') as description,
         r.id as doctor, r.first_name, r.last_name
    from claim c
    left join appointment_type t on t.code = c.type
    left join records_provider r on r.id = c.provider_id`;

interface VisitRow extends ClaimRow {
  readonly description: string;
  readonly doctor: string | null;
  readonly first_name: string;
  readonly last_name: string;
}

const visitsOfPatient: Statement = {
  name: 'visits-of-patient',
  text: `${VISIT_SQL}
          where c.patient_id = $1 and c.start_s >= $2 and c.state not in ('held', 'released')
          order by c.start_s, c.id`,
};

const olderVisit: Statement = {
  name: 'visits-older',
  text: `select 1 from claim c
          where c.patient_id = $1 and c.start_s < $2 and c.state not in ('held', 'released') limit 1`,
};

const visitForLetter: Statement = {
  name: 'visits-for-letter',
  text: `select ${CLAIM_COLUMNS}, p.email, coalesce(r.first_name, '') as first_name,
                coalesce(r.last_name, '') as last_name, before.start_s as moved_from_s
           from claim c
           join patient p on p.id = c.patient_id
           left join records_provider r on r.id = c.provider_id
           left join claim before on before.id = c.rescheduled_from
          where c.id = $1`,
};

const visitOfRequest: Statement = {
  name: 'visits-of-request',
  text: `${VISIT_SQL}
          where c.patient_id = $1 and (c.request_key = $2 or c.id = $3::uuid)
            and c.state not in ('held', 'released')
          order by c.request_key is null limit 1`,
};

function listedOf(row: VisitRow): ListedVisit {
  const { doctor, first_name, last_name, description } = row;
  return {
    claim: claimOf(row),
    description,
    doctor: doctor === null ? null : { id: doctor, firstName: first_name, lastName: last_name },
  };
}

/** The patient's visits from an instant on, and whether there are older ones. */
export async function visitsOf(
  db: Db,
  patientId: PatientId,
  since: EpochSeconds,
): Promise<{ readonly visits: readonly ListedVisit[]; readonly hasOlder: boolean }> {
  const [rows, older] = await Promise.all([
    run<VisitRow>(db, visitsOfPatient, [patientId, since]),
    run(db, olderVisit, [patientId, since]),
  ]);
  return { visits: rows.map(listedOf), hasOlder: older.length > 0 };
}

/** The visit that a request has made, by its stored key or of the hold that the key names. */
export async function visitMadeBy(
  db: Db,
  patientId: PatientId,
  storedKey: string,
): Promise<ListedVisit | null> {
  const values = [patientId, storedKey, holdNamedBy(storedKey)];
  const [row] = await run<VisitRow>(db, visitOfRequest, values);
  return row ? listedOf(row) : null;
}

/** What a letter about a visit needs, or null when the claim has no account. */
export interface LetterFacts {
  readonly to: string;
  readonly claim: Claim;
  readonly doctor: Pick<Doctor, 'firstName' | 'lastName'>;
  readonly movedFrom: EpochSeconds | null;
}

export async function letterFacts(db: Db, claimId: string): Promise<LetterFacts | null> {
  interface Row extends ClaimRow {
    readonly email: string;
    readonly first_name: string;
    readonly last_name: string;
    readonly moved_from_s: number | null;
  }
  const [row] = await run<Row>(db, visitForLetter, [claimId]);
  if (!row) return null;
  return {
    to: row.email,
    claim: claimOf(row),
    doctor: { firstName: row.first_name, lastName: row.last_name },
    movedFrom: row.moved_from_s,
  };
}
