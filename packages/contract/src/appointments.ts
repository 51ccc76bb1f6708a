import { APPOINTMENT_MODES, CONTACT_PREFERENCES } from '@clinic/domain';
import { z } from 'zod';
import { call } from './call.ts';
import { doctor } from './doctors.ts';
import {
  appointmentTypeCode,
  dollars,
  done,
  eligibility,
  envelope,
  epochSeconds,
  id,
  keyHeader,
  text,
  translations,
} from './shapes.ts';

/** §3 Appointment (list call). `startTime` and `endTime` in epoch seconds, `paidAmount` in CAD. */
const appointment = z.object({
  id,
  doctor: id,
  startTime: epochSeconds,
  endTime: epochSeconds,
  isEditable: z.boolean(),
  isCancellable: z.boolean(),
  checkin: z.string().nullable(),
  description: z.string(),
  translations,
  paidAmount: dollars,
  bookingId: z.string().nullable(),
  code: appointmentTypeCode,
  isReschedulable: z.boolean(),
  /** Ours, R-98: the clinic moved it here; the patient may cancel until the start and is refunded. */
  movedByClinic: z.boolean().optional(),
  ticklers: z.array(z.string()),
  stripePaymentToken: z.string().nullable(),
  /**
   * 'confirming' and 'cancelling' are ours. 'confirming': not booked yet; R-94 says what it allows.
   * 'cancelling': the patient has cancelled, and it stands until the clinic's EMR has recorded that.
   */
  status: z.enum([
    'confirming',
    'cancelling',
    'booked',
    'registered',
    'cancelled',
    'rescheduled',
    'no-show',
    'completed',
  ]),
  providerId: id.optional(),
  displayInfo: z.object({ doctorFirstName: z.string(), doctorLastName: z.string() }).nullable(),
  /** Ours: when the appointment was booked; only while it stands. */
  bookedAt: epochSeconds.optional(),
  /** Ours: when the appointment was cancelled or moved. */
  endedAt: epochSeconds.optional(),
  /** Ours: how the patient of a type I appointment asked to be seen; null for other types. */
  contactPreference: z.enum(CONTACT_PREFERENCES).nullish(),
  /** Ours: how the patient is seen; null when the clinic no longer has the type. */
  mode: z.enum([...APPOINTMENT_MODES, 'either']).nullish(),
  /** Ours: the SEQUENCE of the appointment's calendar file, which grows with each change. */
  sequence: z.int().min(0).optional(),
  /** Ours: what was paid for it, unless refunded. */
  receipt: z.object({ amount: dollars, paidAt: epochSeconds, reference: z.string() }).optional(),
  /** Ours: the appointment that took this one's place when it was moved; its status is 'cancelled'. */
  movedTo: z.object({ id, startTime: epochSeconds }).optional(),
});

/** §3 Stored booking answers, as sent and as kept in a draft. */
const bookingAnswers = z.object({
  reason: text(1000),
  crashYear: z.int().min(0).max(9999).nullish(),
  crashMonth: z.int().min(0).max(99).nullish(),
  crashDay: z.int().min(0).max(99).nullish(),
  contactPreference: z.enum(['IN-PERSON', 'PHONE']).nullish(),
  symptom: text(2000).nullish(),
  medicationTaken: text(2000).nullish(),
  experiencingList: z.array(text(60)).max(12).nullish(),
  treatmentList: z
    .array(z.union([text(60), z.strictObject({ key: z.literal('other'), text: text(500) })]))
    .max(12)
    .nullish(),
});

/** a slot held for one patient until `expiresAt` (epoch seconds, server clock). */
const hold = z.object({
  id,
  doctor: id,
  start: epochSeconds,
  end: epochSeconds,
  type: appointmentTypeCode,
  expiresAt: epochSeconds,
  rescheduleOf: id.nullable(),
  draft: bookingAnswers.nullable(),
  /** the patient has booked it, and the clinic is confirming that. */
  confirming: z.boolean().optional(),
  /** staff hold it for the patient, who has yet to pay its fee. */
  byClinic: z.boolean().optional(),
});

const slot = {
  start: epochSeconds,
  end: epochSeconds,
  doctor: id,
  selectedType: appointmentTypeCode,
};

/** The answer to a booking: the appointment as the list call would show it. */
const bookingResult = envelope({
  message: z.string(),
  code: z.enum(['booked', 'rescheduled']),
  appointment,
});

/** An id that the card gateway made. */
const gatewayId = z.string().regex(/^[A-Za-z0-9_]{1,100}$/);

/** What a new payment must have. */
const TO_PAY = ['payment_method_id', 'selectedType', 'amount', 'start', 'end', 'doctor'];

/** The fields are there and are not null, as JSON Schema says it. */
const given = (...required: string[]) => ({
  required,
  properties: Object.fromEntries(required.map((name) => [name, { not: { type: 'null' } }])),
});

/** What became of a payment, next to the message for the patient. */
const chargeCode = z.enum([
  'paymentReceived',
  'bankApprovalNeeded',
  'paymentPending',
  'cardDeclined',
  'notCharged',
  'paymentGivenBack',
  'recordMissing',
  'bookingChanged',
]);

export type ApiAppointment = z.infer<typeof appointment>;
export type ApiHold = z.infer<typeof hold>;
export type ApiAnswers = z.infer<typeof bookingAnswers>;

export const appointmentCalls = {
  listAppointments: call('listAppointments', {
    summary: "The patient's appointments, with the doctors they name.",
    section: '§3 Appointment, §7, R-52, R-55',
    limit: 'reads',
    idempotency: 'natural',
    query: z.object({ all: z.enum(['true', 'false']).optional() }),
    answer: z.object({
      doctors: z.array(doctor),
      appointments: z.array(appointment),
      /** Ours: true when there are older appointments, which `all=true` would add. */
      hasOlder: z.boolean(),
    }),
  }),
  appState: call('appState', {
    summary:
      'What an appointment of this type costs the caller, in CAD. The eligibility sent is not believed.',
    section: '§7, R-8, R-32',
    limit: 'reads',
    idempotency: 'natural',
    query: z.object({ eligibility: eligibility.optional(), selectedType: appointmentTypeCode }),
    answer: envelope({ chargeAmount: dollars, code: appointmentTypeCode }),
  }),
  placeHold: call('placeHold', {
    summary:
      'Hold a slot, or renew the hold on it. A patient has one hold: another slot replaces it.',
    section: 'R-30 (ours)',
    limit: 'holds',
    idempotency: 'natural',
    body: z.strictObject({
      ...slot,
      rescheduleOf: id.nullish(),
      /** The patient enters payment: the hold then lasts 15 minutes from now instead of 10. */
      forPayment: z.boolean().nullish(),
    }),
    answer: envelope({ hold }),
    refusals: [409],
  }),
  readHold: call('readHold', {
    summary:
      "The patient's hold with its draft, or null; and what the request of the key given has made.",
    section: 'R-30, R-95 (ours)',
    limit: 'reads',
    idempotency: 'natural',
    headers: keyHeader,
    answer: envelope({
      hold: hold.nullable(),
      /** With a key: the appointment made under it, even if it has changed since; else null. */
      made: z.object({ code: z.enum(['booked', 'rescheduled']), appointment }).nullable(),
    }),
  }),
  releaseHold: call('releaseHold', {
    summary:
      'Give the held slot back, with a key only the one that it names; repeating it is harmless.',
    section: 'R-30, R-95 (ours)',
    limit: 'changes',
    idempotency: 'natural',
    headers: keyHeader,
    /** also release a hold that is being confirmed; not sent when the patient just leaves the page. */
    query: z.object({
      confirming: z.enum(['true', 'false']).optional(),
      /** also release a hold that staff placed for a payment link. */
      linked: z.enum(['true', 'false']).optional(),
    }),
    answer: done,
    refusals: [409],
  }),
  saveDraft: call('saveDraft', {
    summary:
      'Keep the answers given so far, sealed, beside the hold, with a key only the one that it names.',
    section: 'R-30 (ours)',
    limit: 'drafts',
    idempotency: 'natural',
    headers: keyHeader,
    body: z.strictObject({ draft: bookingAnswers.strict() }),
    answer: done,
    refusals: [409],
  }),
  createBooking: call('createBooking', {
    summary: 'Book an appointment that costs nothing, or move one (`isReschedule`).',
    section: '§4 Next on confirm, §7, R-8, R-32, R-40, R-50',
    limit: 'bookings',
    idempotency: 'key',
    headers: keyHeader,
    body: z.strictObject({
      ...slot,
      ...bookingAnswers.shape,
      isReschedule: z.boolean().nullish(),
      rescheduleOf: id.nullish(),
      /** Accepted but ignored: the service does not trust it. */
      previousTicklers: z.array(text(64)).max(100).nullish(),
      stripePaymentToken: text(200).nullish(),
    }),
    answer: bookingResult,
    refusals: [402, 409],
  }),
  /**
   * §7 has one path for two requests. With `payment_intent_id` alone it confirms a payment and answers 200
   * for every outcome. Otherwise it pays for the slot: `payment_method_id`, the slot and the answers are then
   * required, for type I all of them. `amount` is compared with the price and `providerId` is ignored.
   */
  charge: call('charge', {
    summary: 'Pay for an appointment and book it, or find out what became of a payment.',
    section: '§4 Payment, §7, R-2, R-8, R-40, R-41, R-42',
    limit: 'shared',
    idempotency: 'key',
    headers: keyHeader,
    body: z
      .strictObject({
        payment_intent_id: gatewayId.nullish(),
        payment_method_id: gatewayId.nullish(),
        selectedType: appointmentTypeCode.nullish(),
        providerId: z.union([id, z.number()]).nullish(),
        /** Decimal CAD. */
        amount: z.number().nullish(),
        start: epochSeconds.nullish(),
        end: epochSeconds.nullish(),
        doctor: id.nullish(),
        ...bookingAnswers.partial().shape,
      })
      .meta({ anyOf: [given('payment_intent_id'), given(...TO_PAY)] }),
    answer: z.object({
      /** Also true when the bank must approve first: then `requires_action` is true. */
      success: z.boolean(),
      requires_action: z.boolean().optional(),
      next_action: z.object({ redirect_to_url: z.object({ url: z.string() }) }).optional(),
      extras: z.object({
        message: z.string(),
        code: chargeCode,
        /** Ours: the reference that the patient can quote about the payment. */
        reference: z.string().optional(),
        /** Ours: the appointment that was booked. */
        appointment: appointment.optional(),
      }),
    }),
    refusals: [402, 409],
  }),
  cancelAppointment: call('cancelAppointment', {
    summary: 'Cancel an appointment; repeating it, or cancelling one that was moved, is harmless.',
    section: '§5, §7, R-50, R-53',
    limit: 'cancellations',
    idempotency: 'natural',
    params: z.object({ id }),
    /** 'cancelSent' is ours: the clinic's EMR could not be reached and will be told later. */
    answer: envelope({ message: z.string(), code: z.enum(['cancelled', 'cancelSent']) }),
    refusals: [409],
  }),
};
