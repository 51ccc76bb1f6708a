import type { ApiAnswers } from '@clinic/contract';
import type { EpochSeconds } from '@clinic/domain';

import type { Db } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { Emr } from '../records/emr.ts';
import type {
  BookedAppointment,
  BookingRefusal,
  AccountRef,
  StoredAppointment,
} from './appointment.ts';
import type { ToCancel } from './in-emr/cancelling.store.ts';
import type { Appointments } from './store.ts';

/** What the booking use cases need; wired by who calls them, from fakes in tests. */
export interface BookingPorts extends Pick<
  Platform,
  'database' | 'parts' | 'emr' | 'appendAudit' | 'outbox' | 'keyring' | 'ids' | 'config'
> {
  readonly appointments: Appointments;
  readonly emrBook: EmrBook;
}

export interface CancelOptions {
  readonly actor: string;
  /** Cancels only a payment that waits for its patient's card or 3-D Secure: it cannot have taken money. */
  readonly onlyWaiting?: boolean;
}

/** What booking needs of the payments for held slots; the payment module implements it. */
export interface HeldPayments {
  /**
   * Cancels the payment under way for the patient's hold, if there is one. Afterwards the hold is ordinary
   * or released; until the gateway confirms, it is still being paid for. The audit trail names the patient,
   * unless `options` name somebody else.
   */
  cancel(patientId: PatientId, appointmentId: string, options?: CancelOptions): Promise<void>;
}

/** The ports for releasing a hold, or for holding another slot instead. */
export type HoldPorts = BookingPorts & { readonly heldPayments: HeldPayments };

/** What appointments ask of an EMR that keeps the book; the module `emr` carries it out. */
export interface EmrBook {
  /** Why nothing can be booked in the EMR now; null when it can. */
  readonly whyBookingPaused: (
    db: Db,
    now: EpochSeconds,
  ) => Promise<'clinicRefuses' | 'clinicUnreachable' | null>;
  /** Books the held slot there, then here; of an appointment that moved, cancels the old time there. */
  readonly confirm: (
    ports: BookingPorts,
    asked: AskEmr,
    now: EpochSeconds,
  ) => Promise<BookedAppointment | BookingRefusal>;
  /**
   * Asks it to book a held and paid appointment, or what became of that when it was asked before. 'booked' also
   * when the appointment is no longer held for the payment.
   */
  readonly confirmPaid: (
    ports: Pick<BookingPorts, 'appointments' | 'parts' | 'keyring' | 'database' | 'ids'>,
    emr: Emr,
    appointmentId: string,
    now: EpochSeconds,
  ) => Promise<EmrBookingResult>;
  /** Cancels an appointment at its patient's wish, there and then here. */
  readonly cancel: (
    ports: BookingPorts,
    emr: Emr,
    own: ToCancel & { readonly patientId: PatientId },
    now: EpochSeconds,
  ) => Promise<Cancelled | CancelSent | BookingRefusal>;
  /**
   * Cancels whatever it has of an appointment. 'kept' when staff keep it there, 'absent' when it never had
   * it, null when it does not answer in time.
   */
  readonly withdraw: (
    emr: Emr,
    appointmentId: string,
  ) => Promise<'ended' | 'kept' | 'absent' | null>;
}

/** What an EMR says of a held slot. 'notConfirmed': not in time, or it was cancelled there. */
export type EmrBookingResult =
  | { readonly kind: 'booked' }
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'refused';
      readonly why: 'taken' | 'notOffered' | 'noRecord' | 'changed' | 'notConfirmed';
    };

export type Cancelled = { readonly kind: 'cancelled' };
/** The appointment is cancelled once the EMR confirms. */
export type CancelSent = { readonly kind: 'cancelSent' };

/** A slot that is held, with all details of its appointment, while the EMR is asked to book it. */
export interface AskEmr extends AccountRef {
  readonly kind: 'askEmr';
  readonly emr: Emr;
  readonly answers: ApiAnswers;
  /** The answer to give once the EMR has booked the appointment. */
  readonly result: BookedAppointment;
  readonly oldAppointment: StoredAppointment | null;
  /** The ignored fields of the request, for the audit trail. */
  readonly ignored: readonly string[];
}
