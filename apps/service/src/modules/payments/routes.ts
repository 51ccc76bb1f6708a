import { setTimeout as pause } from 'node:timers/promises';

import { calls } from '@clinic/contract';
import type { CallAnswer } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import { centsOf, dollarsOf, formatFee } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';

import type { CardPayments } from './card-payments.ts';
import { route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { countAll } from '../../server/rate-limit.store.ts';
import { refuse } from '../../server/refusal.ts';
import type { FieldProblem, Refusal } from '../../server/refusal.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import {
  GatewayDeclined,
  GatewayOutcomeUnknown,
  GatewayRefused,
  GatewayUnreachable,
} from './gateway.ts';
import {
  answersOf,
  appointments,
  requestKey,
  appointmentOf,
  apiAppointment,
} from '../appointments/index.ts';
import type { HeldPayments } from '../appointments/index.ts';
import { chargeAppointment, confirmPayment, giveUpPayment } from './charge.ts';
import type { ChargeRequest, Charged, Confirmed } from './charge.ts';
import type { PaymentPorts } from './ports.ts';
import { handleRefundEmails } from './refund-email.ts';
import type { Settled } from './settle.ts';
import { payments } from './store.ts';
import { receiveWebhooks } from './webhook.ts';

/** With a hundred of them, ten seconds. */
const PAUSE_MS = 100;

/** Paying for appointments. */
export function registerPayments(app: FastifyInstance, platform: Platform): void {
  const { cardPayments, rateLimit } = platform;
  const { rates } = platform.config;
  handleRefundEmails(platform);
  if (cardPayments === undefined) {
    route(app, calls.charge, async () => refuse('paymentsUnavailable'));
    return;
  }
  const ports = { ...platform, ...paymentPorts(platform, cardPayments) };
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
    const tooMany = await countAll(rateLimit, now, repeated ? repeats : tries);
    if (tooMany) return tooMany;
    const charged = await chargeAppointment(ports, request, now);
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
  platform: Omit<PaymentPorts, 'appointments' | 'payments' | 'gateway' | 'reports' | 'pause'>,
  { gateway, reports }: Pick<CardPayments, 'gateway' | 'reports'>,
): PaymentPorts {
  return { ...platform, appointments, payments, gateway, reports, pause: () => pause(PAUSE_MS) };
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

type ChargeBody = z.output<typeof calls.charge.body>;

const NEEDED = ['payment_method_id', 'selectedType', 'amount', 'start', 'end', 'doctor'] as const;

type Needed = { readonly [Field in (typeof NEEDED)[number]]: NonNullable<ChargeBody[Field]> };

const isComplete = (given: Partial<Needed>): given is Needed =>
  NEEDED.every((field) => field in given);

/** Either a payment to begin, with all that it needs, or everything that is missing. */
function chargeRequest(
  body: ChargeBody,
  patientId: PatientId,
  idempotencyKey: string | undefined,
): ChargeRequest | { readonly errors: readonly FieldProblem[] } {
  const given = Object.fromEntries(
    NEEDED.flatMap((field) => ((body[field] ?? null) === null ? [] : [[field, body[field]]])),
  ) as Partial<Needed>;
  if (!isComplete(given)) {
    const missing = NEEDED.filter((field) => !(field in given));
    return { errors: missing.map((field) => ({ field, message: text('invalidField') })) };
  }
  const {
    payment_method_id: paymentMethod,
    selectedType: type,
    amount,
    start,
    end,
    doctor,
  } = given;
  const slot = { providerId: doctor, start, end, type };
  return {
    patientId,
    slot,
    paymentMethod,
    // A part of a cent is no price.
    amountCents: centsOf(amount),
    providerId: body.providerId?.toString() ?? null,
    requestKey: requestKey(idempotencyKey, slot),
    asserted: { ticklers: [], paymentToken: null },
    answers: answersOf({ ...body, reason: body.reason ?? '' }),
  };
}

type ChargeAnswer = CallAnswer<'charge'>;
type Extras = ChargeAnswer['extras'];

/** What a charge answers: the appointment, the bank's address, or why nothing was booked. */
async function answerCharged(
  ports: PaymentPorts,
  bankOrigins: CardPayments['bankOrigins'],
  patientId: PatientId,
  charged: Charged,
  now: EpochSeconds,
): Promise<ChargeAnswer | Refusal> {
  switch (charged.kind) {
    case 'refused':
      if (charged.code === 'amountDiffers')
        return refuse('amountDiffers', {
          values: { fee: formatFee(charged.chargeCents) },
          chargeAmount: dollarsOf(charged.chargeCents),
        });
      return 'errors' in charged && charged.errors
        ? refuse(charged.code, { errors: charged.errors })
        : refuse(charged.code);
    case 'booked':
    case 'rescheduled':
      return received(ports, patientId, charged.appointment.id, now);
    case 'settled':
      return answerSettled(ports, bankOrigins, patientId, charged.settled, now);
  }
}

async function answerSettled(
  ports: PaymentPorts,
  bankOrigins: CardPayments['bankOrigins'],
  patientId: PatientId,
  settled: Settled,
  now: EpochSeconds,
): Promise<ChargeAnswer | Refusal> {
  const { payment, intent, problem } = settled;
  switch (payment.state) {
    case 'capturing':
    case 'captured':
    case 'kept':
    case 'capture_failed':
      return received(ports, patientId, payment.appointmentId, now);
    case 'requires_action': {
      const url = intent?.bankUrl ?? null;
      if (url === null) return refuse('paymentUnknown');
      if (!isBank(url, bankOrigins)) {
        ports.reports.report({ kind: 'charge', code: 'bank_address', payment: payment.id });
        return refuse('paymentsUnavailable');
      }
      const extras: Extras = {
        message: text('bankApprovalNeeded'),
        code: 'bankApprovalNeeded',
        reference: payment.reference,
      };
      return {
        success: true,
        requires_action: true,
        next_action: { redirect_to_url: { url } },
        extras,
      };
    }
    case 'declined':
      if (problem instanceof GatewayOutcomeUnknown) return refuse('paymentUnknown');
      if (problem instanceof GatewayUnreachable) return refuse('paymentsUnavailable');
      return declined(declineText(settled));
    case 'created':
    case 'cancelling':
      return refuse('paymentUnknown');
    case 'cancelled':
      if (problem instanceof GatewayRefused || problem instanceof GatewayDeclined)
        return declined(text('cardNotTaken'));
      return refuse(problem === null ? 'holdGone' : 'paymentsUnavailable');
    case 'refund_pending':
    case 'refunded':
    case 'refund_failed':
      return refuse('holdGone');
  }
}

/** Confirm answers 200 whatever became of the payment. */
async function answerConfirmed(
  ports: PaymentPorts,
  patientId: PatientId,
  confirmed: Confirmed,
  now: EpochSeconds,
): Promise<ChargeAnswer | Refusal> {
  if (confirmed.kind === 'refused') return refuse(confirmed.code);
  const { payment, unanswered } = confirmed.settled;
  switch (payment.state) {
    case 'capturing':
    case 'captured':
    case 'kept':
    case 'capture_failed':
      return received(ports, patientId, payment.appointmentId, now);
    case 'created':
    case 'requires_action':
      return unanswered ? refuse('paymentUnknown') : failed('paymentPending');
    case 'declined':
      return failed('cardDeclined', declineText(confirmed.settled));
    case 'cancelling':
    case 'cancelled':
      return failed('notCharged');
    case 'refund_pending':
    case 'refunded':
    case 'refund_failed':
      return failed('paymentGivenBack');
  }
}

const declined = (message: string) => refuse('cardDeclined', { values: { message } });

const failed = (code: Extras['code'], message: string = text(code)): ChargeAnswer => ({
  success: false,
  extras: { message, code },
});

/** The card provider's own words, when it has some. */
const declineText = ({ payment }: Settled) => payment.declineMessage || text('cardNotTaken');

async function received(
  { database, payments }: PaymentPorts,
  patientId: PatientId,
  appointmentId: string,
  now: EpochSeconds,
): Promise<ChargeAnswer> {
  const [shown, payment] = await Promise.all([
    appointmentOf(database.db, patientId, appointmentId),
    payments.findOfAppointment(database.db, appointmentId),
  ]);
  return {
    success: true,
    extras: {
      message: text('paymentReceived'),
      code: 'paymentReceived',
      ...(payment === null ? {} : { reference: payment.reference }),
      ...(shown === null ? {} : { appointment: apiAppointment(shown, now) }),
    },
  };
}

/** A patient is sent only to addresses that the installation knows as the bank's. */
function isBank(url: string, origins: readonly string[]): boolean {
  return URL.canParse(url) && origins.includes(new URL(url).origin);
}
