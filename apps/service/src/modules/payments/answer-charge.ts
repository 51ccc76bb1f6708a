import type { CallAnswer } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import { dollarsOf, formatFee } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { CardPayments } from './card-payments.ts';
import { refuse } from '../../server/refusal.ts';
import type { Refusal } from '../../server/refusal.ts';
import type { PatientId } from '../../security/sessions.ts';
import {
  GatewayDeclined,
  GatewayOutcomeUnknown,
  GatewayRefused,
  GatewayUnreachable,
} from './gateway.ts';
import { listedAppointmentsOf, apiAppointment } from '../appointments/index.ts';
import type { Charged } from './charge-appointment.ts';
import type { Confirmed } from './confirm-payment.ts';
import type { PaymentPorts } from './ports.ts';
import type { Settled } from './settle.ts';

type ChargeAnswer = CallAnswer<'charge'>;
type Extras = ChargeAnswer['extras'];

/** What a charge answers: the appointment, the bank's address, or why nothing was booked. */
export async function answerCharged(
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
export async function answerConfirmed(
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

/** The card provider's own words, when it has some (§8). */
const declineText = ({ payment }: Settled) => payment.declineMessage || text('cardNotTaken');

async function received(
  { database, payments }: PaymentPorts,
  patientId: PatientId,
  appointmentId: string,
  now: EpochSeconds,
): Promise<ChargeAnswer> {
  const [{ appointments }, payment] = await Promise.all([
    listedAppointmentsOf(database.db, patientId, 0),
    payments.findOfAppointment(database.db, appointmentId),
  ]);
  const appointment = appointments.find(({ appointment }) => appointment.id === appointmentId);
  return {
    success: true,
    extras: {
      message: text('paymentReceived'),
      code: 'paymentReceived',
      ...(payment === null ? {} : { reference: payment.reference }),
      ...(appointment === undefined
        ? {}
        : {
            appointment: apiAppointment(
              appointment.appointment,
              appointment.description,
              appointment.doctor,
              now,
            ),
          }),
    },
  };
}

/** A patient is sent only to addresses that the installation knows as the bank's. */
export function isBank(url: string, origins: readonly string[]): boolean {
  return URL.canParse(url) && origins.includes(new URL(url).origin);
}
