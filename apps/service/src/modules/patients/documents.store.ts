import type { EpochSeconds } from '@clinic/domain';
import { type Db, hasRows, part, sql } from '../../database/db.ts';
import { OUTBOX } from '../../database/outbox.store.ts';
import { ACCOUNTS } from '../accounts/index.ts';
import { type ClinicDocument, DOCUMENTS } from '../documents/index.ts';
import { EMR_ADDITIONS } from '../records/index.ts';

/** Where a page of waiting documents ended. */
export interface DocumentPlace {
  readonly at: EpochSeconds;
  readonly id: string;
}

export interface DocumentSearch {
  /** True lists only documents that wait for a decision; those of closed accounts never wait. */
  readonly waiting: boolean;
  readonly limit: number;
  /** Lists only waiting documents after this place; null begins with the first. */
  readonly after: DocumentPlace | null;
}

/** A document with its patient's name, such as 'Morgan, Casey'. */
export interface ListedDocument extends ClinicDocument {
  readonly name: string;
}

const WAITS = part`(d.decision is null and p.closed_at_s is null)`;

/** Health cards and picture IDs: first those that wait, oldest first; then the others, newest first. */
export function documentsForClinic(
  db: Db,
  { waiting, limit, after }: DocumentSearch,
): Promise<ListedDocument[]> {
  const isBehind =
    after === null
      ? part`true`
      : part`(${WAITS} and (d.created_at_s, d.id) > (${after.at}::bigint, ${after.id}::uuid))`;
  return sql<ListedDocument>(db)`
    select d.id, d.patient_id as "patientId", d.purpose, d.media_type as "mediaType", d.size,
           d.created_at_s as "createdAt", d.decision, d.decided_at_s as "decidedAt",
           p.last_name || ', ' || p.first_name as name
      from ${DOCUMENTS} d join ${ACCOUNTS} p on p.id = d.patient_id
     where ${isBehind} and ${waiting ? WAITS : part`true`}
     order by ${WAITS} desc, case when ${WAITS} then d.created_at_s else -d.created_at_s end, d.id
     limit ${limit}`;
}

/** Whether a document of this account waits for a decision. */
export const hasWaitingDocument = (db: Db, patientId: string): Promise<boolean> =>
  hasRows(sql(db, 'documents-one-waits')`
    select from ${DOCUMENTS} d join ${ACCOUNTS} p on p.id = d.patient_id
     where p.id = ${patientId}::uuid and ${WAITS} limit 1`);

/** How many documents wait for a decision. */
export async function countWaitingDocuments(db: Db): Promise<number> {
  const [row] = await sql<{ waiting: number }>(db, 'documents-waiting')`
    select count(*)::int as waiting
      from ${DOCUMENTS} d join ${ACCOUNTS} p on p.id = d.patient_id where ${WAITS}`;
  return row?.waiting ?? 0;
}

/**
 * How many accepted documents neither went to the EMR nor wait to go there, such as those accepted before
 * it was connected. Documents of closed accounts do not count.
 */
export async function countDocumentsNotInEmr(db: Db): Promise<number> {
  const [row] = await sql<{ count: number }>(db, 'documents-not-in-emr')`
    select count(*)::int as count
      from ${DOCUMENTS} d join ${ACCOUNTS} p on p.id = d.patient_id
     where d.decision = 'accepted' and p.closed_at_s is null
       and not exists (select from ${EMR_ADDITIONS} a where a.key = 'document:' || d.id)
       and not exists (select from ${OUTBOX} o
                        where o.kind = 'document-to-emr' and o.done_at_s is null
                          and o.payload ->> 'documentId' = d.id::text)`;
  return row?.count ?? 0;
}
