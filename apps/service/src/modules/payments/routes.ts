import { calls } from '@clinic/contract';
import type { CallAnswer } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import { centsOf, dollarsOf } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';
import { type Locale, formatMoney } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';

import { route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { type LocalizedText, Refusal, localized, refuse } from '../../server/refusal.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { bookingRequest, refusalDetails, shownAppointment } from '../appointments/index.ts';
import type { HeldPayments } from '../appointments/index.ts';
import { chargeAppointment, confirmPayment, cancelPayment } from './charge.ts';
import type { ChargeRequest, Charged, Confirmed } from './charge.ts';
import {
  GatewayDeclined,
  GatewayOutcomeUnknown,
  GatewayRefused,
  GatewayUnreachable,
} from './gateway.ts';
import { handleRefundEmails } from './refund-email.ts';
import { paymentPorts } from './advance-payment.ts';
import type { PaymentPorts, AdvancedPayment } from './advance-payment.ts';
import { payments } from './store.ts';
import { receiveWebhooks } from './webhook.ts';

/** Paying for appointments. */
export function registerPayments(app: FastifyInstance, platform: Platform): void {
  const { cardPayments, database } = platform;
  const { rates } = platform.config;
  handleRefundEmails(platform);
  if (cardPayments === undefined) {
    route(app, calls.charge, async () => refuse('paymentsUnavailable'));
    return;
  }
  const ports = { ...platform, ...paymentPorts(platform, cardPayments) };
  void app.register(receiveWebhooks(ports));

  route(app, calls.charge, async ({ body, headers, patient: { id }, ...given }) => {
    const { locale, now, address, countUses } = given;
    const asked = { ports, patientId: id, locale, now };
    const intent = body.payment_intent_id ?? null;
    if (intent !== null) return answerConfirmed(asked, await confirmPayment(ports, id, intent));
    const request = chargeRequest(body, id, headers['idempotency-key']);
    if (request instanceof Refusal) return request;
    const tries = [
      [rates.chargePerAccount, id],
      [rates.chargePerAccountDaily, id],
      [rates.chargePerAddress, address],
    ] as const;
    const repeats = [[rates.chargeRepeats, id]] as const;
    const repeated = await payments.wasSent(database.db, request);
    const counted = await countUses(repeated ? repeats : tries);
    if (counted instanceof Refusal) return counted;
    let isTried = false;
    const onStarted = () => {
      counted.begun();
      isTried = true;
    };
    const charged = await chargeAppointment(ports, { ...request, onStarted }, now);
    // A card that never reached the gateway was not tried. An amount of one's own is no such case.
    const isUntried = !isTried && charged.kind !== 'amountDiffers';
    if (repeated) counted.begun();
    else if (isUntried || isTurnedAway(charged)) await counted.giveBack();
    return answerCharged(asked, charged);
  });
}

/** What booking needs to release a hold that is being paid for. */
export function heldPayments(platform: Platform): HeldPayments {
  const { cardPayments } = platform;
  if (cardPayments === undefined) return { cancel: async () => undefined };
  const ports = paymentPorts(platform, cardPayments);
  return { cancel: (...args) => cancelPayment(ports, ...args) };
}

/** Whether the gateway turned the card away at its door: no try of it is on its way. */
function isTurnedAway(charged: Charged): boolean {
  if (charged.kind !== 'advanced') return false;
  const { payment, problem } = charged.advanced;
  const isUntried = payment.state === 'declined' || payment.intentId === null;
  return problem instanceof GatewayUnreachable && isUntried;
}

type ChargeBody = z.output<typeof calls.charge.body>;

const NEEDED = ['payment_method_id', 'selectedType', 'amount', 'start', 'end', 'doctor'] as const;

type Complete = { readonly [Field in (typeof NEEDED)[number]]: NonNullable<ChargeBody[Field]> };

const missingOf = (body: ChargeBody) => NEEDED.filter((field) => (body[field] ?? null) === null);
const isComplete = (body: ChargeBody): body is ChargeBody & Complete =>
  missingOf(body).length === 0;

/** The payment to start, or a refusal that names every missing field. */
function chargeRequest(
  body: ChargeBody,
  patientId: PatientId,
  idempotencyKey: string | undefined,
): ChargeRequest | Refusal {
  if (!isComplete(body)) {
    const message = localized('invalidField');
    return refuse('invalidInput', { errors: missingOf(body).map((field) => ({ field, message })) });
  }
  return {
    ...bookingRequest(body, patientId, idempotencyKey),
    paymentMethod: body.payment_method_id,
    // A part of a cent is no price.
    amountCents: centsOf(body.amount),
    providerId: body.providerId?.toString() ?? null,
    claimed: { ticklers: [], paymentToken: null },
  };
}

type ChargeAnswer = CallAnswer<'charge'>;

interface Asked {
  readonly ports: PaymentPorts;
  readonly patientId: PatientId;
  readonly locale: Locale;
  readonly now: EpochSeconds;
}

/** What a charge answers: the appointment, the bank's address, or why nothing was booked. */
async function answerCharged(asked: Asked, charged: Charged): Promise<ChargeAnswer | Refusal> {
  switch (charged.kind) {
    case 'amountDiffers': {
      const { chargeCents } = charged;
      const values = { fee: (to: Locale) => formatMoney(to, chargeCents) };
      return refuse('amountDiffers', { values, chargeAmount: dollarsOf(chargeCents) });
    }
    case 'refused':
      return refuse(charged.code, refusalDetails(charged));
    case 'booked':
    case 'rescheduled': {
      const { id, paidNow } = charged.appointment;
      // If nothing is paid online, staff take the fee at the clinic, or have given it back.
      return (
        (paidNow > 0 && (await received(asked, { appointmentId: id }))) || refuse('bookingChanged')
      );
    }
    case '3dSecure':
      return {
        success: true,
        requires_action: true,
        next_action: { redirect_to_url: { url: charged.url } },
        extras: {
          message: text(asked.locale, 'bankApprovalNeeded'),
          code: 'bankApprovalNeeded',
          reference: charged.advanced.payment.reference,
        },
      };
    case 'advanced':
      return answerSettled(asked, charged.advanced);
  }
}

async function answerSettled(
  asked: Asked,
  advanced: AdvancedPayment,
): Promise<ChargeAnswer | Refusal> {
  const { payment, problem, emr, recordMissing } = advanced;
  switch (payment.state) {
    case 'capturing':
    case 'captured':
    case 'kept':
    case 'capture_failed':
      return (await received(asked, payment)) ?? refuse('bookingChanged');
    case 'declined':
      if (problem instanceof GatewayOutcomeUnknown) return refuse('paymentUnknown');
      if (problem instanceof GatewayUnreachable) return refuse('paymentsUnavailable');
      return declined(declineText(advanced));
    case 'created':
    case 'requires_action':
    case 'cancelling':
      return refuse(emr === 'unknown' ? 'clinicConfirming' : 'paymentUnknown');
    case 'cancelled':
      if (problem instanceof GatewayRefused || problem instanceof GatewayDeclined)
        return declined(localized('cardNotTaken'));
      if ((await bookedBy(asked, payment)) !== null) return refuse('bookingChanged');
      if (problem !== null) return refuse('paymentsUnavailable');
      return refuse(recordMissing ? 'recordMissing' : 'notCharged');
    case 'refund_pending':
    case 'refunded':
    case 'refund_failed':
      if ((await bookedBy(asked, payment)) !== null) return refuse('bookingChanged');
      return refuse('paymentGivenBack');
  }
}

/** Answers a confirm call with 200 whatever became of the payment; refuses where that is not known. */
async function answerConfirmed(
  asked: Asked,
  confirmed: Confirmed,
): Promise<ChargeAnswer | Refusal> {
  if (confirmed.kind === 'refused') return refuse(confirmed.code);
  const { payment, unanswered, emr, recordMissing } = confirmed.advanced;
  if (emr === 'unknown') return refuse('clinicConfirming');
  const isBooked = async () => (await bookedBy(asked, payment)) !== null;
  switch (payment.state) {
    case 'capturing':
    case 'captured':
    case 'kept':
    case 'capture_failed':
      return (await received(asked, payment)) ?? failed(asked, 'bookingChanged');
    case 'created':
    case 'requires_action':
      return unanswered ? refuse('paymentUnknown') : failed(asked, 'paymentPending');
    case 'declined':
      return failed(asked, 'cardDeclined', declineText(confirmed.advanced));
    case 'cancelling':
    case 'cancelled':
      if (await isBooked()) return failed(asked, 'bookingChanged');
      return failed(asked, recordMissing ? 'recordMissing' : 'notCharged');
    case 'refund_pending':
    case 'refunded':
    case 'refund_failed':
      return failed(asked, (await isBooked()) ? 'bookingChanged' : 'paymentGivenBack');
  }
}

const declined = (message: LocalizedText) => refuse('cardDeclined', { values: { message } });

const failed = (
  { locale }: Asked,
  code: ChargeAnswer['extras']['code'],
  message = localized(code),
): ChargeAnswer => ({ success: false, extras: { message: message(locale), code } });

/** The gateway's own words, when it has some. */
const declineText = ({ payment: { declineMessage } }: AdvancedPayment): LocalizedText =>
  declineMessage ? () => declineMessage : localized('cardNotTaken');

/** The appointment of a payment as the list shows it, or null where it was never booked. */
const bookedBy = (
  { ports, patientId, now }: Asked,
  { appointmentId }: Pick<AdvancedPayment['payment'], 'appointmentId'>,
) => shownAppointment(ports, patientId, appointmentId, now);

/** The answer for a payment that booked an appointment; null once that was cancelled or moved. */
async function received(
  asked: Asked,
  payment: Pick<AdvancedPayment['payment'], 'appointmentId'>,
): Promise<ChargeAnswer | null> {
  const appointment = await bookedBy(asked, payment);
  if (appointment === null || appointment.status === 'cancelled') return null;
  return {
    success: true,
    extras: {
      message: text(asked.locale, 'paymentReceived'),
      code: 'paymentReceived',
      ...(appointment.receipt && { reference: appointment.receipt.reference }),
      appointment,
    },
  };
}
