import type { AppendAudit } from '../../security/audit.ts';
import { CommitOutcomeUnknown } from '../../database/db.ts';
import type { Database, Work } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import type { Outbox } from '../../database/outbox.ts';
import type { Rates } from '../../server/rates.ts';
import type { PatientId } from '../../security/sessions.ts';
import type { Emr } from '../records/emr.ts';
import type { Ids } from '../../server/ids.ts';
import type { Appointments, Counted } from './appointments.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';

/** What the booking use cases need; wired in `routes.ts`, from fakes in tests. */
export interface BookingPorts {
  readonly database: Pick<Database, 'inTransactionOrConflict'>;
  readonly appointments: Appointments;
  readonly emr: Pick<Emr, 'keepsOurBook' | 'book' | 'move' | 'cancel' | 'findByKey' | 'mrpStatus'>;
  readonly appendAudit: AppendAudit;
  readonly outbox: Pick<Outbox, 'enqueue'>;
  readonly keyring: Pick<Keyring, 'seal' | 'open'>;
  readonly ids: Ids;
}

/** What a use case takes that a patient may not repeat without end (S-5). */
export interface CountedPorts extends BookingPorts {
  readonly config: { readonly rates: Pick<Rates, Counted | 'drafts'> };
}

/** What booking asks of the payments for held slots; the payment module answers. */
export interface HeldPayments {
  /**
   * Gives up the payment under way for the patient's hold, if there is one. Afterwards the hold is an
   * ordinary one or gone; while the gateway has not said so, it is still being paid for.
   */
  giveUp(patientId: PatientId, appointmentId: string): Promise<void>;
}

/** What letting go of a hold takes, or holding another slot instead. */
export type HoldPorts = BookingPorts & { readonly heldPayments: HeldPayments };

/**
 * One transaction in which a conflict means that somebody else was first. After a COMMIT whose
 * outcome is unknown the work runs once more: it begins by waiting for the patient's lock, which the
 * lost transaction holds until it is over, and by looking for what this request may have written.
 */
export async function transact<T>(
  ports: Pick<BookingPorts, 'database'>,
  work: Work<T | BookingRefusal>,
): Promise<T | BookingRefusal> {
  for (let again = false; ; again = true) {
    try {
      const outcome = await ports.database.inTransactionOrConflict(work);
      return outcome.kind === 'committed' ? outcome.value : refused('slotTaken');
    } catch (error) {
      if (again || !(error instanceof CommitOutcomeUnknown)) throw error;
    }
  }
}
