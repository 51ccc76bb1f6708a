import type { EpochSeconds } from '@clinic/domain';
import { type Db, part, sql } from '../../database/db.ts';
import { type ClinicDocument, DOCUMENTS } from '../documents/index.ts';

/** Where a page of waiting documents ended. */
export interface DocumentPlace {
  readonly at: EpochSeconds;
  readonly id: string;
}

export interface DocumentSearch {
  /** Those that nobody has decided about, or all. Of a closed account none waits. */
  readonly waiting: boolean;
  readonly limit: number;
  /** Of those that wait, the ones behind this place; null begins with the first. */
  readonly after: DocumentPlace | null;
}

/** With the name of its patient: 'Morgan, Casey'. */
export interface ListedDocument extends ClinicDocument {
  readonly name: string;
}

const WAITS = part`(d.decision is null and p.closed_at_s is null)`;

/** Health cards and picture IDs: those that wait first, the longest waiting on top; then the newest. */
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
      from ${DOCUMENTS} d join patient p on p.id = d.patient_id
     where ${isBehind} and ${waiting ? WAITS : part`true`}
     order by ${WAITS} desc, case when ${WAITS} then d.created_at_s else -d.created_at_s end, d.id
     limit ${limit}`;
}

/** How many wait for somebody to decide. */
export async function countWaitingDocuments(db: Db): Promise<number> {
  const [row] = await sql<{ waiting: number }>(db, 'documents-waiting')`
    select count(*)::int as waiting
      from ${DOCUMENTS} d join patient p on p.id = d.patient_id where ${WAITS}`;
  return row?.waiting ?? 0;
}
