import {
  CELL_SECONDS,
  ELIGIBILITY_RULES,
  isCancellableByPolicy,
  isEligibility,
  toClinic,
} from '@clinic/domain';
import type { AppointmentTypeCode } from '@clinic/domain';
import type { Tx } from '../platform/db.ts';
import { claim, slotCell } from '../platform/schema.ts';
import type { Ids } from '../ports/ids.ts';
import { insertPayments } from './insert-payments.ts';
import type { SeededPatient } from './insert-accounts.ts';

export interface SeededVisit {
  readonly patient: SeededPatient | null;
  readonly chartId: string;
  readonly providerId: string;
  readonly start: number;
  readonly type: AppointmentTypeCode;
  readonly state: 'booked' | 'registered' | 'cancelled' | 'completed' | 'no-show';
  readonly paidCents?: number;
  readonly checkin?: string;
  readonly isReschedulable?: boolean;
}

const ROWS_AT_ONCE = 500;
const isActive = ({ state }: SeededVisit) => state === 'booked' || state === 'registered';

/** Claims as a booking would have left them, with their cells. */
export async function insertClaims(
  tx: Tx,
  ids: Ids,
  visits: readonly SeededVisit[],
  now: number,
): Promise<void> {
  const rows = visits.map((visit, n) => claimRow(visit, ids.uuid(), n, now));
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx.insert(claim).values(rows.slice(at, at + ROWS_AT_ONCE));
  await insertPayments(tx, ids, rows);
  const cells = rows.flatMap((row, n) =>
    visits[n] && isActive(visits[n])
      ? [{ providerId: row.providerId, cellStart: row.start, claimId: row.id }]
      : [],
  );
  for (let at = 0; at < cells.length; at += ROWS_AT_ONCE)
    await tx.insert(slotCell).values(cells.slice(at, at + ROWS_AT_ONCE));
}

function claimRow(visit: SeededVisit, id: string, n: number, now: number) {
  const { patient, chartId, providerId, start, type, state } = visit;
  const eligibility = patient && isEligibility(patient.eligibility) ? patient.eligibility : null;
  const madeAt = Math.min(now, start - 86_400);
  return {
    id,
    patientId: patient?.id ?? null,
    chartId,
    providerId,
    start,
    end: start + CELL_SECONDS,
    clinicDate: toClinic(start).date,
    type,
    state,
    onceADay: eligibility !== null && ELIGIBILITY_RULES[eligibility].oncePerDay,
    bookingNumber: (46_656 + n).toString(36).toUpperCase(),
    paidCents: visit.paidCents ?? 0,
    isReschedulable: visit.isReschedulable ?? true,
    isCancellable:
      eligibility === null ||
      isCancellableByPolicy({ eligibilities: ELIGIBILITY_RULES }, type, eligibility),
    checkin: visit.checkin ?? null,
    createdAt: madeAt,
    changedAt: madeAt,
  };
}
