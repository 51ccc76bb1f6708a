import type { CallOutcome, EpochSeconds } from '@clinic/domain';
import { type Db, type Tx, firstOf, hasRows, part, sql } from '../../database/db.ts';
import type { Who } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { DESK_APPOINTMENTS } from '../appointments/index.ts';

interface EntryOf {
  readonly closingId: string;
  readonly appointmentId: string;
}

/**
 * Whether a closing has cancelled the appointment: only then is its patient called. Calls to one patient wait
 * for each other until the transaction ends.
 */
export const lockCancelled = (tx: Tx, { closingId, appointmentId }: EntryOf): Promise<boolean> =>
  hasRows(sql(tx, 'closings-lock-entry')`
    select from closing_entry
     where closing_id = ${closingId}::uuid and appointment_id = ${appointmentId}::uuid
       and outcome in ('cancelled', 'cancelSent') for update`);

export interface NewCall extends EntryOf {
  readonly id: string;
  readonly outcome: CallOutcome | null;
  /** The call that is taken back; null in a call itself. */
  readonly takesBack: string | null;
}

/** False when there is a row with this id already, or the call was taken back before. */
export const insertCall = (tx: Tx, call: NewCall, { actor, now }: Who): Promise<boolean> =>
  hasRows(sql(tx, 'closings-insert-call')`
    insert into closing_call (id, closing_id, appointment_id, outcome, takes_back, noted_by, at_s)
    values (${call.id}::uuid, ${call.closingId}::uuid, ${call.appointmentId}::uuid, ${call.outcome}::text,
            ${call.takesBack}::uuid, ${actor}, ${now})
    on conflict do nothing returning id`);

/** A call, or null. */
export const callById = (
  db: Db,
  id: string,
): Promise<(EntryOf & { outcome: CallOutcome }) | null> =>
  firstOf(sql<EntryOf & { outcome: CallOutcome }>(db, 'closings-one-call')`
    select closing_id as "closingId", appointment_id as "appointmentId", outcome
      from closing_call where id = ${id}::uuid and outcome is not null`);

/** A call to the patient of an entry, and who has taken it back, if anybody. */
export interface ClosingCall {
  readonly id: string;
  readonly appointmentId: string;
  readonly outcome: CallOutcome;
  readonly by: string;
  readonly at: EpochSeconds;
  readonly takenBackBy: string | null;
  readonly takenBackAt: EpochSeconds | null;
}

const CALLS = part`
  select c.id, c.appointment_id as "appointmentId", c.outcome, c.noted_by as by, c.at_s as at,
         b.noted_by as "takenBackBy", b.at_s as "takenBackAt"
    from closing_call c left join closing_call b on b.takes_back = c.id`;

/** The calls of a closing, the newest first. */
export const callsOfClosing = (db: Db, closingId: string): Promise<ClosingCall[]> =>
  sql<ClosingCall>(db, 'closings-calls')`
    ${CALLS} where c.closing_id = ${closingId}::uuid and c.outcome is not null order by c.position desc`;

/** The calls about appointments of a patient, the oldest first. */
export const ownCalls = (db: Db, patientId: PatientId): Promise<ClosingCall[]> =>
  sql<ClosingCall>(db, 'closings-own-calls')`
    ${CALLS} join ${DESK_APPOINTMENTS} a on a.id = c.appointment_id
     where a.patient_id = ${patientId} and c.outcome is not null order by c.position`;
