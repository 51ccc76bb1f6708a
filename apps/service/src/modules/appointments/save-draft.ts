import type { ApiAnswers } from '@clinic/contract';
import type { EpochSeconds } from '@clinic/domain';

import type { Database } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.ts';
import { tooOften } from './limits.ts';
import { transact } from './ports.ts';
import type { BookingPorts, CountedPorts } from './ports.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';
import type { StoredAppointment } from './appointment.ts';
import { answersContext } from './appointment-details.ts';

type ReadingPorts = BookingPorts & { readonly database: Pick<Database, 'db'> };

export interface HeldNow {
  readonly appointment: StoredAppointment;
  readonly draft: ApiAnswers | null;
}

/** The patient's standing hold with its draft, or null. */
export async function readHold(
  { appointments, database, keyring }: ReadingPorts,
  patientId: PatientId,
  now: EpochSeconds,
): Promise<HeldNow | null> {
  const held = await appointments.holdOf(database.db, patientId, now);
  if (held === null) return null;
  const { appointment, draftSealed } = held;
  const draft =
    draftSealed === null
      ? null
      : (JSON.parse(keyring.open(answersContext(appointment.id), draftSealed)) as ApiAnswers);
  return { appointment, draft };
}

/** Keeps the answers given so far, sealed, beside the hold. */
export async function saveDraft(
  ports: ReadingPorts & CountedPorts,
  patientId: PatientId,
  draft: ApiAnswers,
  now: EpochSeconds,
): Promise<{ readonly kind: 'saved' } | BookingRefusal> {
  const held = await ports.appointments.holdOf(ports.database.db, patientId, now);
  if (held === null) return refused('holdGone');
  const { id } = held.appointment;
  const sealed = ports.keyring.seal(answersContext(id), JSON.stringify(draft));
  const rule = ports.config.rates.drafts;
  return transact(ports, async (tx) => {
    const wait = await ports.appointments.saveDraft(tx, patientId, id, sealed, rule, now);
    if (wait === null) return refused('holdGone');
    return wait > 0 ? tooOften(wait) : { kind: 'saved' as const };
  });
}
