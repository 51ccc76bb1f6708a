import { holdOfKey } from '@clinic/domain';
import type { EpochSeconds, ReservationRefusal } from '@clinic/domain';

import type { AppendAudit } from '../../security/audit.store.ts';
import { CommitOutcomeUnknown } from '../../database/db.ts';
import type { Database, RollBack, Tx, Work } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import type { Outbox } from '../../database/outbox.store.ts';
import type { Rates } from '../../server/rates.ts';
import type { FieldProblem } from '../../server/refusal.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { EmrOffline } from '../records/emr.ts';
import type { RecordId, Emr } from '../records/emr.ts';
import type { Ids } from '../../server/ids.ts';
import type { Appointments, Counted } from './store.ts';

/** What the booking use cases need; wired in `routes.ts`, from fakes in tests. */
export interface BookingPorts {
  readonly database: Pick<Database, 'inTransactionOrConflict'>;
  readonly appointments: Appointments;
  readonly emr: Pick<Emr, 'bookings' | 'mrpStatus'>;
  readonly appendAudit: AppendAudit;
  readonly outbox: Pick<Outbox, 'enqueue'>;
  readonly keyring: Pick<Keyring, 'seal' | 'open'>;
  readonly ids: Ids;
}

/** What a use case takes that a patient may not repeat without end. */
export interface CountedPorts extends BookingPorts {
  readonly config: { readonly rates: Pick<Rates, Counted | 'drafts'> };
}

/** What booking asks of the payments for held slots; the payment module answers. */
export interface HeldPayments {
  /**
   * Gives up the payment under way for the patient's hold, if there is one. Afterwards the hold is
   * an ordinary one or gone; while the gateway has not said so, it is still being paid for.
   */
  giveUp(patientId: PatientId, appointmentId: string): Promise<void>;
}

/** What letting go of a hold takes, or holding another slot instead. */
export type HoldPorts = BookingPorts & { readonly heldPayments: HeldPayments };

/** A no of a booking call, by the code whose words the patient reads. */
export interface BookingRefusal {
  readonly kind: 'refused';
  readonly code: ReservationRefusal | 'notCancellable' | 'invalidInput';
  /** Fields that cannot be accepted, with the words to show beside them. */
  readonly errors?: readonly FieldProblem[];
  /** Seconds, of `tooManyRequests`. */
  readonly retryAfter?: number;
}

export function refused(
  code: BookingRefusal['code'],
  details: Omit<BookingRefusal, 'kind' | 'code'> = {},
): BookingRefusal {
  return { kind: 'refused', code, ...details };
}

/**
 * One transaction in which a conflict means that somebody else was first. After a COMMIT whose
 * outcome is unknown the work runs once more: it begins by waiting for the patient's lock, which
 * the lost transaction holds until it is over, and by looking for what this request may have
 * written.
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

/** The decision depends on the primary doctor, whom only the records know. */
export interface AskPrimaryDoctor {
  readonly kind: 'askPrimaryDoctor';
  readonly recordId: string;
}

/** Whether it is active here; 'unasked' until a rule depends on it. */
export type PrimaryDoctor = boolean | 'unknown' | 'unasked';

/**
 * A transaction with a reservation in it. When it turns out to depend on the primary doctor, the
 * records are asked – outside of any transaction – and it runs again with the answer; no answer is
 * 'unknown'. Of a slot that is taken nothing stands: neither locks nor another hold given up.
 */
export async function inReservation<T extends { readonly kind: string }>(
  ports: Pick<BookingPorts, 'database' | 'emr'>,
  attempt: (
    tx: Tx,
    known: PrimaryDoctor,
    rollBack: RollBack<T | BookingRefusal>,
  ) => Promise<T | AskPrimaryDoctor | BookingRefusal>,
): Promise<T | BookingRefusal> {
  const run = (known: PrimaryDoctor) =>
    transact<T | AskPrimaryDoctor>(ports, async (tx, rollBack) => {
      const result = await attempt(tx, known, rollBack);
      return isRefusal(result) && result.code === 'slotTaken' ? rollBack(result) : result;
    });
  const isQuestion = (outcome: { readonly kind: string }): outcome is AskPrimaryDoctor =>
    outcome.kind === 'askPrimaryDoctor';
  const outcome = await run('unasked');
  if (!isQuestion(outcome)) return outcome;
  const again = await run(await askPrimaryDoctor(ports.emr, outcome.recordId));
  if (isQuestion(again)) throw new Error('The primary doctor was asked for twice');
  return again;
}

const isRefusal = (outcome: { readonly kind: string }): outcome is BookingRefusal =>
  outcome.kind === 'refused';

async function askPrimaryDoctor(
  emr: Pick<BookingPorts['emr'], 'mrpStatus'>,
  recordId: string,
): Promise<PrimaryDoctor> {
  try {
    return (await emr.mrpStatus(recordId as RecordId)).active;
  } catch (error) {
    if (error instanceof EmrOffline) return 'unknown';
    throw error;
  }
}

/**
 * Names a booking request for ever, so that a double click or a retry after a lost answer gives the
 * same booking. Without an Idempotency-Key it is derived from provider and start; the patient
 * stands beside it in the unique index. A derived key is given back when the appointment ends, so
 * that the same time can be booked again.
 */
export function requestKey(
  sent: string | undefined,
  slot: { readonly providerId: string; readonly start: EpochSeconds },
): string {
  return sent === undefined ? `${DERIVED}${slot.providerId}:${slot.start}` : sentKey(sent);
}

export const DERIVED = 'slot:';
const SENT = 'sent:';

/** A key that a client sent, as it is stored. */
export const sentKey = (sent: string) => `${SENT}${sent}`;

/** The hold that a stored key names, or null. */
export function holdNamedBy(stored: string | null): string | null {
  return stored?.startsWith(SENT) ? holdOfKey(stored.slice(SENT.length)) : null;
}
