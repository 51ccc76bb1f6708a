import type { calls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import { centsOf } from '@clinic/domain';
import type { z } from 'zod';

import type { FieldProblem } from '../../server/refusal.ts';
import type { PatientId } from '../../security/sessions.ts';
import { requestKey } from '../appointments/index.ts';
import type { ChargeRequest } from './charge-appointment.ts';

type ChargeBody = z.output<typeof calls.charge.body>;

const NEEDED = ['payment_method_id', 'selectedType', 'amount', 'start', 'end', 'doctor'] as const;

type Needed = { readonly [Field in (typeof NEEDED)[number]]: NonNullable<ChargeBody[Field]> };

const isComplete = (given: Partial<Needed>): given is Needed =>
  NEEDED.every((field) => field in given);

/** Either a payment to begin, with all that it needs, or everything that is missing. */
export function chargeRequest(
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
    answers: {
      reason: body.reason ?? '',
      crashYear: body.crashYear,
      crashMonth: body.crashMonth,
      crashDay: body.crashDay,
      contactPreference: body.contactPreference,
      symptom: body.symptom,
      medicationTaken: body.medicationTaken,
      experiencingList: body.experiencingList,
      treatmentList: body.treatmentList,
    },
  };
}
