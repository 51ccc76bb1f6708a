import type { ClinicDate, EpochSeconds } from '@clinic/domain';

import type { Db } from '../../platform/db.ts';
import type { PatientId } from '../../platform/sessions.ts';
import { run } from '../../platform/statement.ts';
import type { Statement } from '../../platform/statement.ts';
import { recordsIdOf } from './ask-records.ts';
import { transact } from './ports.ts';
import type { BookingPorts } from './ports.ts';
import { VISIT_LETTER } from './record-visit.ts';

/** Somebody's claim on a doctor's day. */
export interface DayClaim {
  readonly id: string;
  /** Null for a chart without an account. */
  readonly patientId: string | null;
  readonly chartId: string;
  readonly start: EpochSeconds;
  readonly state: 'held' | 'booked' | 'registered';
  readonly paidCents: number;
  /** Being paid for, or being booked in the records: only that ends it. */
  readonly underWay: boolean;
}

const onDay: Statement = {
  name: 'claims-on-day',
  text: `select id, patient_id as "patientId", chart_id as "chartId", start_s as start, state,
                paid_cents as "paidCents", (confirming or paying) as "underWay"
           from claim
          where provider_id = $1 and clinic_date = $2::date and start_s > $3
            and state in ('held', 'booked', 'registered')
          order by start_s`,
};

/** What still stands on a doctor's day after an instant. */
export const claimsOnDay = (
  db: Db,
  providerId: string,
  day: ClinicDate,
  after: EpochSeconds,
): Promise<DayClaim[]> => run<DayClaim>(db, onDay, [providerId, day, after]);

const endWithoutAccount: Statement = {
  name: 'claims-end-without-account',
  text: `with ended as (
           update claim set state = 'cancelled', sequence = sequence + 1, changed_at_s = $2
            where id = $1 and patient_id is null and state in ('booked', 'registered') returning id),
         freed as (delete from slot_cell where claim_id in (select id from ended))
         select id from ended`,
};

export interface Who {
  readonly actor: string;
  readonly now: EpochSeconds;
}

/**
 * the clinic gives a visit up, whatever the hour and the fee. What was paid for it is not kept:
 * the payments sweeper gives it back in full. False when the visit stood no more.
 */
export async function cancelByClinic(
  ports: BookingPorts,
  { id, patientId }: DayClaim,
  { actor, now }: Who,
): Promise<boolean> {
  if (!ports.records.claimsAreTheBook) {
    const known = await recordsIdOf(ports.records, id);
    if (known) await ports.records.cancel(`cancel:${id}`, known);
  }
  const outcome = await transact(ports, async (tx) => {
    const subject = `claim:${id}`;
    if (patientId === null) {
      const ended = await run(tx, endWithoutAccount, [id, now]);
      if (ended.length === 0) return { kind: 'gone' as const };
      await ports.appendAudit(tx, { actor, action: 'appointment cancelled', subject, at: now });
      return { kind: 'cancelled' as const };
    }
    const owner = patientId as PatientId;
    await ports.claims.lockPatientOnly(tx, owner);
    if (!(await ports.claims.endVisit(tx, owner, id, 'cancelled', now)))
      return { kind: 'gone' as const };
    await ports.appendAudit(tx, { actor, action: 'appointment cancelled', subject, at: now });
    const letter = { event: 'cancelled', claimId: id, byClinic: true };
    await ports.outbox.enqueue(tx, VISIT_LETTER, letter, now);
    return { kind: 'cancelled' as const };
  });
  return outcome.kind === 'cancelled';
}

/** Takes a hold back that nobody pays for; false when it was gone or is under way. */
export async function releaseByClinic(
  ports: BookingPorts,
  { id, patientId, underWay }: DayClaim,
  { actor, now }: Who,
): Promise<boolean> {
  if (patientId === null || underWay) return false;
  const outcome = await transact(ports, async (tx) => {
    await ports.claims.lockPatientOnly(tx, patientId as PatientId);
    const standing = await ports.claims.lockClaim(tx, id);
    if (standing?.state !== 'held' || standing.paying || standing.confirming)
      return { kind: 'gone' as const };
    await ports.claims.release(tx, id, now);
    const subject = `claim:${id}`;
    await ports.appendAudit(tx, { actor, action: 'hold released', subject, at: now });
    return { kind: 'released' as const };
  });
  return outcome.kind === 'released';
}
