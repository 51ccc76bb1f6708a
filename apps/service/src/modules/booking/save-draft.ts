import type { WireAnswers } from '@clinic/contract';
import type { EpochSeconds } from '@clinic/domain';

import type { Database } from '../../platform/db.ts';
import type { PatientId } from '../../platform/sessions.ts';
import { tooOften } from './limits.ts';
import { transact } from './ports.ts';
import type { BookingPorts, CountedPorts } from './ports.ts';
import { refused } from './refusals.ts';
import type { BookingRefusal } from './refusals.ts';
import type { Claim } from './claim.ts';
import { answersContext } from './visit.ts';

type ReadingPorts = BookingPorts & { readonly database: Pick<Database, 'db'> };

export interface HeldNow {
  readonly claim: Claim;
  readonly draft: WireAnswers | null;
}

/** The patient's standing hold with its draft, or null. */
export async function readHold(
  { claims, database, keyring }: ReadingPorts,
  patientId: PatientId,
  now: EpochSeconds,
): Promise<HeldNow | null> {
  const held = await claims.holdOf(database.db, patientId, now);
  if (held === null) return null;
  const { claim, draftSealed } = held;
  const draft =
    draftSealed === null
      ? null
      : (JSON.parse(keyring.open(answersContext(claim.id), draftSealed)) as WireAnswers);
  return { claim, draft };
}

/** Keeps the answers given so far, sealed, beside the hold. */
export async function saveDraft(
  ports: ReadingPorts & CountedPorts,
  patientId: PatientId,
  draft: WireAnswers,
  now: EpochSeconds,
): Promise<{ readonly kind: 'saved' } | BookingRefusal> {
  const held = await ports.claims.holdOf(ports.database.db, patientId, now);
  if (held === null) return refused('holdGone');
  const { id } = held.claim;
  const sealed = ports.keyring.seal(answersContext(id), JSON.stringify(draft));
  const rule = ports.config.rates.drafts;
  return transact(ports, async (tx) => {
    const wait = await ports.claims.saveDraft(tx, patientId, id, sealed, rule, now);
    if (wait === null) return refused('holdGone');
    return wait > 0 ? tooOften(wait) : { kind: 'saved' as const };
  });
}
