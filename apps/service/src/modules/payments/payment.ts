import type { EpochSeconds, PaymentAlarm, PaymentState } from '@clinic/domain';

import type { PatientId } from '../../security/sessions.ts';

/** A fee that a patient pays for an appointment, as the database knows it. */
export interface Payment {
  readonly id: string;
  readonly patientId: PatientId;
  readonly appointmentId: string;
  readonly amountCents: number;
  readonly state: PaymentState;
  readonly reference: string;
  readonly intentId: string | null;
  readonly paymentMethod: string;
  readonly declineCode: string | null;
  readonly declineMessage: string | null;
  readonly confirmRound: number;
  readonly captureRound: number;
  readonly cancelRound: number;
  readonly refundRound: number;
  readonly tries: number;
  readonly createCalledAt: EpochSeconds | null;
  readonly version: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: EpochSeconds | null;
  readonly dueAt: EpochSeconds | null;
  readonly alarm: PaymentAlarm | null;
  readonly givenUpByPatient: boolean;
  readonly createdAt: EpochSeconds;
  readonly changedAt: EpochSeconds;
}

export type NewPayment = Pick<
  Payment,
  'id' | 'patientId' | 'appointmentId' | 'amountCents' | 'reference' | 'paymentMethod'
> & { readonly leaseOwner: string };

/** What may change of a payment. */
export type PaymentChange = Partial<
  Pick<
    Payment,
    | 'state'
    | 'intentId'
    | 'paymentMethod'
    | 'declineCode'
    | 'declineMessage'
    | 'confirmRound'
    | 'captureRound'
    | 'cancelRound'
    | 'refundRound'
    | 'tries'
    | 'createCalledAt'
    | 'dueAt'
    | 'alarm'
  >
>;

/** Whoever works on a payment does so for at most this long before others may. */
export const LEASE_SECONDS = 60;
