import { type Db, part, sql } from './db.ts';

/** As a select, which PostgreSQL does not evaluate to plan: a plain value would be planned anew each time. */
export const asSnapshot = (snapshot: string | null) =>
  part`(select ${snapshot}::text::pg_snapshot)`;

/**
 * Matches what was changed by transactions that this statement sees and the snapshot does not. A transaction
 * number beyond this database's own counter comes from a restored copy and counts as old.
 */
export const changedSince = (snapshot: string | null) => part`
  changed_xid >= pg_snapshot_xmin(${asSnapshot(snapshot)})
  and changed_xid < pg_snapshot_xmax(pg_current_snapshot())
  and not pg_visible_in_snapshot(changed_xid, ${asSnapshot(snapshot)})`;

/** The private live events, each of which tells one patient's pages that something of theirs was changed. */
export const PATIENT_EVENTS = ['appointments', 'messages', 'account'] as const;

export interface PatientChange {
  readonly patientId: string;
  readonly event: (typeof PATIENT_EVENTS)[number];
}

/**
 * What has changed of patients since a database snapshot, and the snapshot to ask from next. Without a snapshot
 * it finds nothing but the snapshot of now.
 */
export async function patientChangesSince(db: Db, snapshot: string | null) {
  type Row = PatientChange & { readonly snapshot: string; readonly patientId: string | null };
  const rows =
    snapshot === null
      ? await sql<Row>(db, 'patients-first-snapshot')`
          select pg_current_snapshot()::text as snapshot, null as "patientId"`
      : await sql<Row>(db, 'patient-changes')`
          select pg_current_snapshot()::text as snapshot, c.patient_id as "patientId", c.event
            from (select 1) as one left join (
              select distinct patient_id, event from patient_change
               where ${changedSince(snapshot)}) as c on true`;
  return {
    snapshot: rows[0]?.snapshot ?? snapshot ?? '',
    changes: rows.filter(({ patientId }) => patientId !== null),
  };
}

/** Deletes what every process has told. */
export const spentPatientChanges = () => part`
  delete from patient_change
   where changed_at_s < extract(epoch from clock_timestamp())::bigint - 3600`;
