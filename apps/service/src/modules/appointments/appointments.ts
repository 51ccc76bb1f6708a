import type { ClinicDate, ContactPreference, EpochSeconds } from '@clinic/domain';

import type { Db, Tx } from '../../database/db.ts';
import type { RateRule } from '../../server/rate-limit.ts';
import type { PatientId } from '../../security/sessions.ts';
import type { StoredAppointment, SlotRequest } from './appointment.ts';
import type { Offer } from './offer.ts';

/** What an appointment carries from the moment it is an appointment. */
export interface AppointmentDetails {
  readonly onceADay: boolean;
  readonly requestKey: string;
  readonly bookingNumber: string;
  readonly answersSealed: Uint8Array;
  readonly isCancellable: boolean;
  readonly rescheduledFrom: string | null;
  readonly paidCents: number;
  readonly ticklers: readonly string[];
  readonly checkin: string | null;
  readonly sequence: number;
  /** How the patient of a type I appointment asked to be seen; null for other types. */
  readonly contactPreference: ContactPreference | null;
}

/** What a patient wrote for an appointment, as it is kept. */
export type KeptAnswers = Pick<AppointmentDetails, 'answersSealed' | 'contactPreference'>;

export interface NewAppointment extends SlotRequest {
  readonly id: string;
  readonly patientId: PatientId;
  readonly recordId: string;
  readonly clinicDate: ClinicDate;
}

export interface HoldTerms {
  readonly placedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  readonly rescheduledFrom: string | null;
}

/** A hold that lapsed; whose it was, for the audit. */
export interface LapsedHold {
  readonly id: string;
  readonly patientId: string | null;
}

/** A hold whose booking in the records has an unknown outcome. */
export interface UnsettledHold {
  readonly appointment: StoredAppointment;
  readonly patientId: PatientId;
}

/** What is counted from a patient's appointments (S-5). */
export type Counted = 'holds' | 'bookings' | 'cancellations';

/**
 * The appointments on the providers' time, and the only way to change them. Every write takes the
 * transaction. Order of locks: patient, old appointment, steps ascending, appointment.
 */
export interface Appointments {
  /** Locks the patient's row and reads what the clinic offers; null without such a patient. */
  lockPatient(
    tx: Tx,
    patientId: PatientId,
    slot: SlotRequest,
    day: ClinicDate,
  ): Promise<Offer | null>;
  /** Locks the patient's row alone. */
  lockPatientOnly(tx: Tx, patientId: PatientId): Promise<void>;
  /**
   * The patient's hold, appointments from two days ago on, the appointment of this request and those named. A
   * statement of its own after the lock: only then does it see what the lock waited for.
   */
  standing(
    tx: Tx,
    patientId: PatientId,
    now: EpochSeconds,
    requestKey: string | null,
    named: readonly (string | null)[],
  ): Promise<readonly StoredAppointment[]>;
  /**
   * When the last but `count` - 1 of them was made, if that is after `since`; null when there were
   * fewer. Made is: a hold placed, an appointment taken or its hold placed, an appointment cancelled.
   */
  reachedSince(
    tx: Tx,
    patientId: PatientId,
    what: Counted,
    count: number,
    since: EpochSeconds,
  ): Promise<EpochSeconds | null>;
  /** Locks the steps of several spans in their order, so that patients who swap never deadlock. */
  lockSteps(tx: Tx, spans: readonly SlotRequest[]): Promise<void>;
  /** Takes all steps and holds the slot, or takes none and answers false. */
  takeHold(tx: Tx, appointment: NewAppointment, terms: HoldTerms): Promise<boolean>;
  /** Takes all steps and books the slot at once, or takes none and answers false. */
  takeBooked(
    tx: Tx,
    appointment: NewAppointment,
    details: AppointmentDetails,
    now: EpochSeconds,
  ): Promise<boolean>;
  /** Holds another slot in place of a hold; when that is taken, the old hold stays: false. */
  moveHold(tx: Tx, holdId: string, appointment: NewAppointment, terms: HoldTerms): Promise<boolean>;
  /** Prolongs a hold where it stands; false when it is gone. */
  renewHold(
    tx: Tx,
    holdId: string,
    slot: SlotRequest,
    terms: HoldTerms,
    now: EpochSeconds,
  ): Promise<boolean>;
  /** Frees the slot of other patients' holds that lapsed by the clock, swept or not (R-30). */
  releaseLapsed(tx: Tx, slot: SlotRequest, now: EpochSeconds): Promise<readonly LapsedHold[]>;
  /** Makes a hold an appointment; false when the hold is gone. */
  confirm(
    tx: Tx,
    holdId: string,
    slot: SlotRequest,
    details: AppointmentDetails,
    now: EpochSeconds,
  ): Promise<boolean>;
  /** Keeps a hold, with all that its appointment will carry, while the records are asked to book it. */
  awaitEmr(
    tx: Tx,
    holdId: string,
    slot: SlotRequest,
    details: AppointmentDetails,
    now: EpochSeconds,
  ): Promise<boolean>;
  /**
   * Keeps a hold, with all that its appointment will carry, while the patient pays: from now on only its
   * payment books it or lets it go. False when the hold is gone or paid for already.
   */
  awaitPayment(
    tx: Tx,
    holdId: string,
    slot: SlotRequest,
    terms: HoldTerms,
    details: AppointmentDetails,
    now: EpochSeconds,
  ): Promise<boolean>;
  /** Moves the end of a hold that is being paid for; answers that were edited replace the first. */
  prolongPaying(
    tx: Tx,
    holdId: string,
    expiresAt: EpochSeconds,
    now: EpochSeconds,
    answers?: KeptAnswers,
  ): Promise<boolean>;
  /** Makes a hold that is being paid for an appointment; null when it is none any more. */
  settlePaid(tx: Tx, holdId: string, now: EpochSeconds): Promise<StoredAppointment | null>;
  /** Makes it an ordinary hold again, which may lapse or be let go. */
  stopPaying(tx: Tx, holdId: string, now: EpochSeconds): Promise<boolean>;
  /** The sealed answers of an appointment, or null. */
  sealedAnswers(db: Db, appointmentId: string): Promise<Uint8Array | null>;
  /** Locks one appointment and reads it, whatever its state; null without it. */
  lockAppointment(tx: Tx, appointmentId: string): Promise<StoredAppointment | null>;
  /** Makes a hold that awaited the records an appointment; null when it is one already or gone. */
  settle(tx: Tx, holdId: string, now: EpochSeconds): Promise<StoredAppointment | null>;
  /** Holds that have awaited the records' answer since before then. */
  unsettled(db: Db, since: EpochSeconds, most: number): Promise<readonly UnsettledHold[]>;
  /** Gives a hold up and its steps back, one that lapsed too; false when it was given up before. */
  release(tx: Tx, holdId: string, now: EpochSeconds): Promise<boolean>;
  /**
   * Ends a standing appointment and frees its steps; what was paid for an appointment that moves is not its own any
   * more. Gives the change's number in calendars, or null when the appointment stood no more.
   */
  endAppointment(
    tx: Tx,
    patientId: PatientId,
    appointmentId: string,
    end: 'cancelled' | 'rescheduled',
    now: EpochSeconds,
  ): Promise<number | null>;
  /**
   * Keeps the answers given so far beside the hold. Each time uses up `seconds / count` of the rule's
   * time, which comes back as it passes. Answers the seconds to wait for, 0 when they were kept; null
   * without a standing hold.
   */
  saveDraft(
    tx: Tx,
    patientId: PatientId,
    holdId: string,
    sealed: Uint8Array,
    rule: RateRule,
    now: EpochSeconds,
  ): Promise<number | null>;
  /** Frees up to `most` lapsed holds that nobody else is freeing. */
  sweepLapsed(tx: Tx, now: EpochSeconds, most: number): Promise<readonly LapsedHold[]>;
  /** The patient's standing hold with its sealed draft. */
  holdOf(
    db: Db,
    patientId: PatientId,
    now: EpochSeconds,
  ): Promise<{
    readonly appointment: StoredAppointment;
    readonly draftSealed: Uint8Array | null;
  } | null>;
}
