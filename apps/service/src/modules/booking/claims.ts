import type { ClinicDate, ContactPreference, EpochSeconds } from '@clinic/domain';

import type { Db, Tx } from '../../platform/db.ts';
import type { RateRule } from '../../platform/rate-limit.ts';
import type { PatientId } from '../../platform/sessions.ts';
import type { Claim, SlotRequest } from './claim.ts';
import type { Offer } from './offer.ts';

/** What a claim carries from the moment it is a visit. */
export interface VisitDetails {
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
  /** How the patient of a type I visit asked to be seen; null for other types. */
  readonly contactPreference: ContactPreference | null;
}

/** What a patient wrote for a visit, as it is kept. */
export type KeptAnswers = Pick<VisitDetails, 'answersSealed' | 'contactPreference'>;

export interface NewClaim extends SlotRequest {
  readonly id: string;
  readonly patientId: PatientId;
  readonly chartId: string;
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
  readonly claim: Claim;
  readonly patientId: PatientId;
}

/** What is counted from a patient's claims (S-5). */
export type Counted = 'holds' | 'bookings' | 'cancellations';

/**
 * The claims on the providers' time, and the only way to change them. Every write takes the
 * transaction. Order of locks: patient, old claim, cells ascending, claim.
 */
export interface Claims {
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
   * The patient's hold, visits from two days ago on, the claim of this request and those named. A
   * statement of its own after the lock: only then does it see what the lock waited for.
   */
  standing(
    tx: Tx,
    patientId: PatientId,
    now: EpochSeconds,
    requestKey: string | null,
    named: readonly (string | null)[],
  ): Promise<readonly Claim[]>;
  /**
   * When the last but `count` - 1 of them was made, if that is after `since`; null when there were
   * fewer. Made is: a hold placed, a visit taken or its hold placed, a visit cancelled.
   */
  reachedSince(
    tx: Tx,
    patientId: PatientId,
    what: Counted,
    count: number,
    since: EpochSeconds,
  ): Promise<EpochSeconds | null>;
  /** Locks the cells of several spans in their order, so that patients who swap never deadlock. */
  lockCells(tx: Tx, spans: readonly SlotRequest[]): Promise<void>;
  /** Takes all cells and holds the slot, or takes none and answers false. */
  takeHold(tx: Tx, claim: NewClaim, terms: HoldTerms): Promise<boolean>;
  /** Takes all cells and books the slot at once, or takes none and answers false. */
  takeVisit(tx: Tx, claim: NewClaim, details: VisitDetails, now: EpochSeconds): Promise<boolean>;
  /** Holds another slot in place of a hold; when that is taken, the old hold stays: false. */
  moveHold(tx: Tx, holdId: string, claim: NewClaim, terms: HoldTerms): Promise<boolean>;
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
  /** Makes a hold a visit; false when the hold is gone. */
  confirm(
    tx: Tx,
    holdId: string,
    slot: SlotRequest,
    details: VisitDetails,
    now: EpochSeconds,
  ): Promise<boolean>;
  /** Keeps a hold, with all that its visit will carry, while the records are asked to book it. */
  awaitRecords(
    tx: Tx,
    holdId: string,
    slot: SlotRequest,
    details: VisitDetails,
    now: EpochSeconds,
  ): Promise<boolean>;
  /**
   * Keeps a hold, with all that its visit will carry, while the patient pays: from now on only its
   * payment books it or lets it go. False when the hold is gone or paid for already.
   */
  awaitPayment(
    tx: Tx,
    holdId: string,
    slot: SlotRequest,
    terms: HoldTerms,
    details: VisitDetails,
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
  /** Makes a hold that is being paid for a visit; null when it is none any more. */
  settlePaid(tx: Tx, holdId: string, now: EpochSeconds): Promise<Claim | null>;
  /** Makes it an ordinary hold again, which may lapse or be let go. */
  stopPaying(tx: Tx, holdId: string, now: EpochSeconds): Promise<boolean>;
  /** The sealed answers of a claim, or null. */
  sealedAnswers(db: Db, claimId: string): Promise<Uint8Array | null>;
  /** Locks one claim and reads it, whatever its state; null without it. */
  lockClaim(tx: Tx, claimId: string): Promise<Claim | null>;
  /** Makes a hold that awaited the records a visit; null when it is one already or gone. */
  settle(tx: Tx, holdId: string, now: EpochSeconds): Promise<Claim | null>;
  /** Holds that have awaited the records' answer since before then. */
  unsettled(db: Db, since: EpochSeconds, most: number): Promise<readonly UnsettledHold[]>;
  /** Gives a hold up and its cells back, one that lapsed too; false when it was given up before. */
  release(tx: Tx, holdId: string, now: EpochSeconds): Promise<boolean>;
  /**
   * Ends a standing visit and frees its cells; what was paid for a visit that moves is not its own any
   * more. Gives the change's number in calendars, or null when the visit stood no more.
   */
  endVisit(
    tx: Tx,
    patientId: PatientId,
    claimId: string,
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
  ): Promise<{ readonly claim: Claim; readonly draftSealed: Uint8Array | null } | null>;
}
