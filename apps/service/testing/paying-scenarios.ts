import { eq } from 'drizzle-orm';

import { move } from '../src/modules/appointments/reserve.ts';
import { cancelAppointment } from '../src/modules/appointments/cancel.ts';
import {
  chargeAppointment,
  confirmPayment,
  cancelPayment,
} from '../src/modules/payments/charge.ts';
import type { ChargeRequest } from '../src/modules/payments/charge.ts';
import { refundFee } from '../src/modules/payments/ask-refund.ts';
import { advancePayment } from '../src/modules/payments/advance-payment.ts';
import { appointment, payment } from '../src/schema.ts';
import type { PatientId } from '../src/security/sessions.store.ts';
import { practiceCard } from './paying.ts';
import type { PayingClinic, PayingPorts } from './paying-clinic.ts';

/** One patient's way through a payment: what came before, and the step that is disturbed. */
export interface Scenario {
  readonly name: string;
  /** Undisturbed; answers what the step needs. */
  prepare(clinic: PayingClinic, patientId: PatientId): Promise<Prepared>;
  /** The step; runs again for a rival of the same patient. */
  act(ports: PayingPorts, prepared: Prepared): Promise<unknown>;
  /** Appointment, payment and ledger at the end, one of these for each payment. */
  readonly ends: readonly string[];
}

export interface Prepared {
  readonly patientId: PatientId;
  readonly request: ChargeRequest;
  readonly payment: string | null;
  readonly intent: string | null;
  readonly appointment: string | null;
}

const PAID = 'booked captured succeeded';
const NOTHING = ['released cancelled canceled', 'released cancelled none'];
const KEPT = 'cancelled kept succeeded';
const RETURNED = 'cancelled refunded succeeded';
const GIVEN_BACK = 'booked refunded succeeded';

async function begun(clinic: PayingClinic, patientId: PatientId, card?: string): Promise<Prepared> {
  const request = clinic.aAppointment(patientId, card);
  if (card !== undefined) await chargeAppointment(clinic.ports(), request, clinic.clock.now());
  const [row] = await clinic.database.db
    .select()
    .from(payment)
    .where(eq(payment.patientId, patientId));
  return {
    patientId,
    request: { ...request, paymentMethod: practiceCard() },
    payment: row?.id ?? null,
    intent: row?.intentId ?? null,
    appointment: row?.appointmentId ?? null,
  };
}

const charge = (ports: PayingPorts, { request }: Prepared) =>
  chargeAppointment(ports, { ...request, paymentMethod: practiceCard() }, ports.clock.now());

export const scenarios: readonly Scenario[] = [
  {
    name: 'create',
    prepare: (clinic, patientId) => begun(clinic, patientId),
    act: charge,
    ends: [PAID, ...NOTHING],
  },
  {
    name: 'another card',
    prepare: (clinic, patientId) => begun(clinic, patientId, practiceCard('declined')),
    act: charge,
    ends: [PAID, ...NOTHING],
  },
  {
    name: 'confirm',
    prepare: async (clinic, patientId) => {
      const prepared = await begun(clinic, patientId, practiceCard('needsBank'));
      await clinic.gateway.decide(prepared.intent ?? '', true);
      return prepared;
    },
    act: (ports, { patientId, intent }) => confirmPayment(ports, patientId, intent ?? ''),
    ends: [PAID],
  },
  {
    name: 'give up',
    prepare: (clinic, patientId) => begun(clinic, patientId, practiceCard('declined')),
    act: (ports, { patientId, appointment }) => cancelPayment(ports, patientId, appointment ?? ''),
    ends: NOTHING,
  },
  {
    name: 'settle a lapsed hold',
    prepare: async (clinic, patientId) => {
      const prepared = await begun(clinic, patientId, practiceCard('needsBank'));
      clinic.clock.advance(1_801);
      return prepared;
    },
    act: (ports, prepared) => advancePayment(ports, prepared.payment ?? ''),
    ends: NOTHING,
  },
  {
    name: 'cancel by the patient',
    prepare: async (clinic, patientId) => {
      const prepared = await begun(clinic, patientId, practiceCard());
      // Under 140 dollars a paid appointment can be cancelled.
      await reprice(clinic, prepared, 7_500);
      return prepared;
    },
    act: async (ports, { patientId, appointment: id, payment: paid }) => {
      await cancelAppointment(ports, patientId, id ?? '', ports.clock.now());
      await advancePayment(ports, paid ?? '');
    },
    ends: [PAID, KEPT],
  },
  {
    name: 'reschedule',
    prepare: async (clinic, patientId) => {
      const prepared = await begun(clinic, patientId, practiceCard());
      return { ...prepared, request: clinic.aAppointment(patientId) };
    },
    act: (ports, { request, appointment: id }) =>
      move(ports, { ...request, rescheduleOf: id }, ports.clock.now()),
    ends: [PAID],
  },
  {
    name: 'refund what the clinic took back',
    prepare: async (clinic, patientId) => {
      const prepared = await begun(clinic, patientId, practiceCard());
      await clinic.database.inTransaction((tx) =>
        tx
          .update(appointment)
          .set({ state: 'cancelled', changedAt: clinic.clock.now() })
          .where(eq(appointment.id, prepared.appointment ?? '')),
      );
      await clinic.freeSteps(prepared.appointment ?? '');
      return prepared;
    },
    act: (ports, prepared) => advancePayment(ports, prepared.payment ?? ''),
    ends: [RETURNED],
  },
  {
    name: 'give a fee back whose appointment stands',
    prepare: (clinic, patientId) => begun(clinic, patientId, practiceCard()),
    act: (ports, { payment: paid }) =>
      refundFee(ports, paid ?? '', 'goodwill', { actor: 'staff:one', now: ports.clock.now() }),
    ends: [PAID, GIVEN_BACK],
  },
];

/** The same appointment at another price, in all three books. */
async function reprice(clinic: PayingClinic, prepared: Prepared, cents: number): Promise<void> {
  await clinic.reprice(prepared.appointment ?? '', prepared.payment ?? '', cents);
}
