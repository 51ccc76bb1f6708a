import { LIVE_STATES, nextLook, paymentStep } from '@clinic/domain';
import type {
  AppointmentFact,
  EpochSeconds,
  GatewayWrite,
  PaymentAlarm,
  PaymentStep,
} from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import {
  confirmAppointment,
  prolongForBank,
  releasePaidAppointment,
  stopPaying,
} from '../appointments/index.ts';
import type { StoredAppointment } from '../appointments/index.ts';
import type { Payment } from './payment.ts';
import type { PaymentPorts } from './ports.ts';
import type { GatewayView } from './read-gateway.ts';
import { enqueueRefundEmail } from './refund-email.ts';

/** All that a step is decided from, read under the locks on patient, appointment and payment. */
export interface StepGrounds {
  readonly payment: Payment;
  readonly appointment: StoredAppointment | null;
  readonly fact: AppointmentFact;
  readonly view: GatewayView;
  readonly mayWrite: (write: GatewayWrite) => boolean;
}

/** Decides a step and writes all of it: appointment, payment, trail, email. Answers the call to make. */
export async function applyStep(
  ports: PaymentPorts,
  tx: Tx,
  { payment, appointment, fact, view, mayWrite }: StepGrounds,
  now: EpochSeconds,
): Promise<{ readonly payment: Payment; readonly write: GatewayWrite | null }> {
  const step = paymentStep(payment.state, view.fact, fact);
  const write = step.write !== null && mayWrite(step.write) ? step.write : null;
  const holdUntil = await moveAppointment(ports, tx, payment, appointment, step, now);
  const tries = (step.next === payment.state ? payment.tries : 0) + (write === null ? 0 : 1);
  const declined = view.intent?.declined ?? null;
  const changed = await ports.payments.change(
    tx,
    payment,
    {
      state: step.next,
      intentId: view.intent?.id ?? payment.intentId,
      ...(step.next === 'declined' && declined !== null
        ? { declineCode: declined.code, declineMessage: declined.message }
        : {}),
      tries,
      dueAt: nextLook(step.next, tries, holdUntil, now),
      alarm: alarmOf(payment, view, step),
      ...(write === 'create' ? { createCalledAt: now } : {}),
    },
    now,
  );
  if (step.alarm !== null && step.alarm !== payment.alarm) raise(ports, payment, step.alarm);
  if (step.next === 'refunded' && payment.state !== 'refunded')
    await enqueueRefundEmail(ports.outbox, tx, payment.id, now);
  if (step.next !== payment.state)
    await ports.appendAudit(tx, {
      actor: 'system:payments',
      action: `payment ${step.next.replaceAll('_', ' ')}`,
      subject: `payment:${payment.id}`,
      details: {
        appointment: payment.appointmentId,
        cents: payment.amountCents,
        from: payment.state,
      },
      at: now,
    });
  return { payment: changed, write };
}

/** Until when the appointment is held after the step, or null when it is not. */
async function moveAppointment(
  ports: PaymentPorts,
  tx: Tx,
  { patientId, appointmentId }: Payment,
  appointment: StoredAppointment | null,
  step: PaymentStep,
  now: EpochSeconds,
): Promise<EpochSeconds | null> {
  if (step.appointment === 'book') {
    await confirmAppointment(ports, tx, patientId, appointmentId, now);
    return null;
  }
  if (step.appointment === 'release') {
    await releasePaidAppointment(ports, tx, appointmentId, now);
    return null;
  }
  if (appointment?.state !== 'held' || !appointment.paying) return null;
  if (!LIVE_STATES.includes(step.next)) {
    await stopPaying(tx, appointmentId, now);
    return null;
  }
  return step.next === 'requires_action'
    ? prolongForBank(tx, appointment, now)
    : appointment.holdExpiresAt;
}

function alarmOf(payment: Payment, view: GatewayView, step: PaymentStep): PaymentAlarm | null {
  const lasting = step.next === 'capture_failed' || step.next === 'refund_failed';
  return step.alarm ?? (lasting || view.fact === 'unanswered' ? payment.alarm : null);
}

/** Nothing mends it by itself: operators see it in the log and in the error reports. */
function raise({ reports, log }: PaymentPorts, payment: Payment, alarm: PaymentAlarm): void {
  reports.report({ kind: 'settle', code: alarm, payment: payment.id, state: payment.state });
  log.event(`payment-alarm:${alarm}`);
}
