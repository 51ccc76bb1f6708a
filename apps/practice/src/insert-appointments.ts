import {
  STEP_SECONDS,
  ELIGIBILITY_RULES,
  isCancellableByPolicy,
  isEligibility,
  toClinic,
} from '@clinic/domain';
import type { AppointmentTypeCode } from '@clinic/domain';
import type { Tx } from '@clinic/service/database/db.ts';
import { appointment, appointmentStep } from '@clinic/service/schema.ts';
import type { Ids } from '@clinic/service/server/ids.ts';
import { insertPayments } from './insert-payments.ts';
import type { SeededPatient } from './insert-accounts.ts';

export interface SeededAppointment {
  readonly patient: SeededPatient | null;
  readonly recordId: string;
  readonly providerId: string;
  readonly start: number;
  readonly type: AppointmentTypeCode;
  readonly state: 'booked' | 'registered' | 'cancelled' | 'completed' | 'no-show';
  readonly paidCents?: number;
  readonly checkin?: string;
  readonly isReschedulable?: boolean;
}

const ROWS_AT_ONCE = 500;
const isActive = ({ state }: SeededAppointment) => state === 'booked' || state === 'registered';

/** Appointments as a booking would have left them, with their steps. */
export async function insertAppointments(
  tx: Tx,
  ids: Ids,
  appointments: readonly SeededAppointment[],
  now: number,
): Promise<void> {
  const rows = appointments.map((appointment, n) =>
    appointmentRow(appointment, ids.uuid(), n, now),
  );
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx.insert(appointment).values(rows.slice(at, at + ROWS_AT_ONCE));
  await insertPayments(tx, ids, rows);
  const steps = rows.flatMap((row, n) =>
    appointments[n] && isActive(appointments[n])
      ? [{ providerId: row.providerId, stepStart: row.start, appointmentId: row.id }]
      : [],
  );
  for (let at = 0; at < steps.length; at += ROWS_AT_ONCE)
    await tx.insert(appointmentStep).values(steps.slice(at, at + ROWS_AT_ONCE));
}

function appointmentRow(appointment: SeededAppointment, id: string, n: number, now: number) {
  const { patient, recordId, providerId, start, type, state } = appointment;
  const eligibility = patient && isEligibility(patient.eligibility) ? patient.eligibility : null;
  const madeAt = Math.min(now, start - 86_400);
  return {
    id,
    patientId: patient?.id ?? null,
    recordId,
    providerId,
    start,
    end: start + STEP_SECONDS,
    clinicDate: toClinic(start).date,
    type,
    state,
    onceADay: eligibility !== null && ELIGIBILITY_RULES[eligibility].oncePerDay,
    bookingNumber: (46_656 + n).toString(36).toUpperCase(),
    paidCents: appointment.paidCents ?? 0,
    isReschedulable: appointment.isReschedulable ?? true,
    isCancellable:
      eligibility === null ||
      isCancellableByPolicy({ eligibilities: ELIGIBILITY_RULES }, type, eligibility),
    checkin: appointment.checkin ?? null,
    createdAt: madeAt,
    changedAt: madeAt,
  };
}
