import { STEP_SECONDS, toClinic } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';

import type { Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.ts';
import { run } from '../../database/statement.ts';
import type { Statement } from '../../database/statement.ts';
import { appointmentOf, READ_COLUMNS, offerOf, OFFER_SQL } from './appointment-rows.ts';
import type { AppointmentRow, OfferRow } from './appointment-rows.ts';
import type { SlotRequest } from './appointment.ts';
import type {
  Appointments,
  HoldTerms,
  LapsedHold,
  NewAppointment,
  AppointmentDetails,
} from './appointments.ts';
import * as sql from './appointments.sql.ts';

/** Appointments that began this long ago may still stand on today's clinic date. */
const LOOK_BACK_SECONDS = 2 * 86_400;

interface LapsedRow {
  readonly id: string;
  readonly patient_id: string | null;
}
const lapsedOf = (row: LapsedRow): LapsedHold => ({ id: row.id, patientId: row.patient_id });

const spanOf = (slot: SlotRequest) => [slot.providerId, slot.start, slot.end] as const;

function appointmentValues(appointment: NewAppointment): unknown[] {
  const { id, patientId, recordId, clinicDate, type } = appointment;
  return [id, ...spanOf(appointment), patientId, recordId, clinicDate, type];
}

const termValues = (terms: HoldTerms) => [terms.placedAt, terms.expiresAt, terms.rescheduledFrom];

function detailValues(details: AppointmentDetails, now: EpochSeconds): unknown[] {
  return [
    details.onceADay,
    details.requestKey,
    details.bookingNumber,
    details.answersSealed,
    details.isCancellable,
    details.rescheduledFrom,
    details.paidCents,
    details.ticklers,
    details.checkin,
    details.sequence,
    now,
    details.contactPreference,
  ];
}

async function hits(...[on, statement, values]: Parameters<typeof run>): Promise<boolean> {
  return (await run(on, statement, values)).length > 0;
}

/** All steps or none: what a slot of several steps got before the first rival's goes back. */
async function takes(
  tx: Tx,
  statement: Statement,
  appointment: NewAppointment,
  rest: readonly unknown[],
) {
  if (await hits(tx, statement, [...appointmentValues(appointment), ...rest])) return true;
  if (appointment.end - appointment.start > STEP_SECONDS)
    await run(tx, sql.dropSteps, [appointment.id]);
  return false;
}

const lockOffer: Statement = {
  name: 'appointments-lock-offer',
  text: `${OFFER_SQL} for no key update of p`,
};
const lockPatient: Statement = {
  name: 'appointments-lock-patient-only',
  text: 'select 1 from patient where id = $1 for no key update',
};
const standing: Statement = {
  name: 'appointments-standing',
  text: `select ${READ_COLUMNS} from appointment c
          where c.patient_id = $1
            and (c.state = 'held' or (c.state in ('booked', 'registered') and c.start_s > $2)
                 or c.request_key = $3 or c.id = any($4::uuid[]))`,
};
const holdOf: Statement = {
  name: 'appointments-hold-of',
  text: `select ${READ_COLUMNS}, c.answers_sealed from appointment c
          where c.patient_id = $1 and c.state = 'held'
            and (c.confirming or c.paying or c.hold_expires_at_s > $2)`,
};

/** Appointments in PostgreSQL, as docs/booking-and-payment.md lays down. */
export const appointments: Appointments = {
  async lockPatient(tx, patientId, slot, day) {
    const values = [patientId, slot.type, slot.providerId, toClinic(slot.start).date, day];
    const [row] = await run<OfferRow>(tx, lockOffer, values);
    return row ? offerOf(row) : null;
  },

  async lockPatientOnly(tx, patientId) {
    await run(tx, lockPatient, [patientId]);
  },

  async standing(tx, patientId, now, requestKey, named) {
    const values = [patientId, now - LOOK_BACK_SECONDS, requestKey, named];
    return (await run<AppointmentRow>(tx, standing, values)).map(appointmentOf);
  },

  async reachedSince(tx, patientId, what, count, since) {
    const values = [patientId, since, count - 1];
    const [row] = await run<{ made_at_s: number }>(tx, sql.counted[what], values);
    return row?.made_at_s ?? null;
  },

  async lockSteps(tx, spans) {
    const column = (of: (span: SlotRequest) => string | number) => spans.map(of);
    await run(tx, sql.lockSteps, [
      column((span) => span.providerId),
      column((span) => span.start),
      column((span) => span.end),
    ]);
  },

  takeHold: (tx, appointment, terms) => takes(tx, sql.takeHold, appointment, termValues(terms)),

  takeBooked: (tx, appointment, details, now) =>
    takes(tx, sql.takeBooked, appointment, detailValues(details, now)),

  moveHold: (tx, holdId, appointment, terms) =>
    takes(tx, sql.moveHold, appointment, [...termValues(terms), holdId]),

  renewHold: (tx, holdId, slot, terms, now) =>
    hits(tx, sql.renewHold, [holdId, slot.type, ...termValues(terms), now]),

  async releaseLapsed(tx, slot, now) {
    const rows = await run<LapsedRow>(tx, sql.releaseLapsed, [...spanOf(slot), now]);
    return rows.map(lapsedOf);
  },

  confirm: (tx, holdId, slot, details, now) =>
    hits(tx, sql.confirm, [holdId, slot.type, ...detailValues(details, now)]),

  awaitEmr: (tx, holdId, slot, details, now) =>
    hits(tx, sql.awaitEmr, [holdId, slot.type, ...detailValues(details, now)]),

  awaitPayment: (tx, holdId, slot, terms, details, now) =>
    hits(tx, sql.awaitPayment, [
      holdId,
      slot.type,
      ...detailValues(details, now),
      terms.placedAt,
      terms.expiresAt,
    ]),

  prolongPaying: (tx, holdId, expiresAt, now, answers) =>
    hits(tx, sql.prolongPaying, [
      holdId,
      expiresAt,
      now,
      answers?.answersSealed ?? null,
      answers?.contactPreference ?? null,
    ]),

  async settlePaid(tx, holdId, now) {
    const [row] = await run<AppointmentRow>(tx, sql.settlePaid, [holdId, now]);
    return row ? appointmentOf(row) : null;
  },

  stopPaying: (tx, holdId, now) => hits(tx, sql.stopPaying, [holdId, now]),

  async sealedAnswers(db, appointmentId) {
    const [row] = await run<{ answers_sealed: Uint8Array | null }>(db, sql.sealedAnswers, [
      appointmentId,
    ]);
    return row?.answers_sealed ?? null;
  },

  async lockAppointment(tx, appointmentId) {
    const [row] = await run<AppointmentRow>(tx, sql.lockAppointment, [appointmentId]);
    return row ? appointmentOf(row) : null;
  },

  async settle(tx, holdId, now) {
    const [row] = await run<AppointmentRow>(tx, sql.settle, [holdId, now]);
    return row ? appointmentOf(row) : null;
  },

  async unsettled(db, since, most) {
    const rows = await run<AppointmentRow & { patient_id: PatientId }>(db, sql.unsettled, [
      since,
      most,
    ]);
    return rows.map((row) => ({ appointment: appointmentOf(row), patientId: row.patient_id }));
  },

  release: (tx, holdId, now) => hits(tx, sql.release, [holdId, now]),

  async endAppointment(tx, patientId, appointmentId, end, now) {
    const values = [appointmentId, patientId, end, now];
    const [row] = await run<{ sequence: number }>(tx, sql.endAppointment, values);
    return row?.sequence ?? null;
  },

  async saveDraft(tx, patientId, holdId, sealed, { count, seconds }, now) {
    const values = [patientId, sealed, now, holdId, seconds / count, seconds];
    const [row] = await run<{ over_s: number }>(tx, sql.saveDraft, values);
    return row ? Math.max(0, Math.ceil(row.over_s)) : null;
  },

  async sweepLapsed(tx, now, most) {
    return (await run<LapsedRow>(tx, sql.sweepLapsed, [now, most])).map(lapsedOf);
  },

  async holdOf(db, patientId, now) {
    const [row] = await run<AppointmentRow & { answers_sealed: Uint8Array | null }>(db, holdOf, [
      patientId,
      now,
    ]);
    return row ? { appointment: appointmentOf(row), draftSealed: row.answers_sealed } : null;
  },
};
