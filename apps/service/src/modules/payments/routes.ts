import { setTimeout as pause } from 'node:timers/promises';

import { calls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';

import type { CardPayments } from './card-payments.ts';
import { route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { useAll } from '../../server/rate-limit.ts';
import { refuse } from '../../server/refusal.ts';
import { appointments } from '../appointments/index.ts';
import type { HeldPayments } from '../appointments/index.ts';
import { answerCharged, answerConfirmed } from './answer-charge.ts';
import { chargeRequest } from './charge-request.ts';
import { chargeAppointment } from './charge-appointment.ts';
import { confirmPayment } from './confirm-payment.ts';
import { giveUpPayment } from './give-up-payment.ts';
import { payments } from './payments.store.ts';
import type { PaymentPorts } from './ports.ts';
import { handleRefundEmails } from './refund-email.ts';
import { receiveWebhooks } from './webhook.ts';

/** With a hundred of them, ten seconds. */
const PAUSE_MS = 100;

/** Paying for appointments (§4 Payment, §7, R-40). */
export function registerPayments(app: FastifyInstance, platform: Platform): void {
  const { cardPayments, rateLimit } = platform;
  const { rates } = platform.config;
  handleRefundEmails(platform);
  if (cardPayments === undefined) {
    route(app, calls.charge, async () => refuse('paymentsUnavailable'));
    return;
  }
  const ports = paymentPorts(platform, cardPayments);
  const background = backgroundOf(app, platform);
  void app.register(receiveWebhooks(ports, background));

  route(app, calls.charge, async ({ body, headers, patient, now, address }) => {
    const intent = body.payment_intent_id ?? null;
    if (intent !== null)
      return answerConfirmed(
        ports,
        patient.id,
        await confirmPayment(ports, patient.id, intent),
        now,
      );
    const request = chargeRequest(body, patient.id, headers['idempotency-key']);
    if ('errors' in request) return refuse('invalidInput', { errors: request.errors });
    const tries = [
      [rates.chargePerAccount, patient.id],
      [rates.chargePerAccountDaily, patient.id],
      [rates.chargePerAddress, address],
    ] as const;
    const repeats = [[rates.chargeRepeats, patient.id]] as const;
    const repeated = await payments.wasSent(platform.database.db, request);
    const tooMany = await useAll(rateLimit, now, repeated ? repeats : tries);
    if (tooMany) return tooMany;
    const charged = await chargeAppointment({ ...ports, appointments }, request, now);
    return answerCharged(ports, cardPayments.bankOrigins, patient.id, charged, now);
  });
}

/** What booking needs to let go of a hold that is being paid for. */
export function heldPayments(platform: Platform): HeldPayments {
  const { cardPayments } = platform;
  if (cardPayments === undefined) return { giveUp: async () => undefined };
  const ports = paymentPorts(platform, cardPayments);
  return { giveUp: (patientId, appointmentId) => giveUpPayment(ports, patientId, appointmentId) };
}

export function paymentPorts(
  platform: Pick<
    Platform,
    Exclude<keyof PaymentPorts, 'payments' | 'gateway' | 'reports' | 'pause'>
  >,
  { gateway, reports }: Pick<CardPayments, 'gateway' | 'reports'>,
): PaymentPorts {
  const { database, emr, keyring, appendAudit, outbox, clock, ids, log } = platform;
  return {
    database,
    emr,
    keyring,
    appendAudit,
    outbox,
    clock,
    ids,
    log,
    pause: () => pause(PAUSE_MS),
    payments,
    gateway,
    reports,
  };
}

/** Work that nobody waits for, but that is done before the service ends. */
function backgroundOf(app: FastifyInstance, { log }: Pick<Platform, 'log'>) {
  const underWay = new Set<Promise<unknown>>();
  app.addHook('onClose', async () => {
    await Promise.allSettled(underWay);
  });
  return (work: Promise<unknown>): void => {
    const done: Promise<unknown> = work
      .catch((error: unknown) => log.error('settle-failed', error))
      .finally(() => underWay.delete(done));
    underWay.add(done);
  };
}
