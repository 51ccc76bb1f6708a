import { lt, lte, or } from 'drizzle-orm';

import type { Platform } from '../../platform.ts';
import {
  knownDevice,
  oneTimeCode,
  gatewayEvent,
  outbox,
  pendingSignUp,
  session,
  spentProof,
} from '../../schema.ts';
import { ABSOLUTE_LIMIT } from '../../security/sessions.ts';
import { DEVICE_KNOWN_FOR } from '../patients/index.ts';

const DAY = 24 * 60 * 60;
/** Seconds for which each is kept after it served its purpose. */
const KEPT = {
  codes: DAY,
  sessions: 30 * DAY,
  outbox: 30 * DAY,
  gatewayEvents: 90 * DAY,
} as const;

export interface Swept {
  readonly codes: number;
  readonly sessions: number;
  readonly devices: number;
  readonly emails: number;
  readonly gatewayEvents: number;
  readonly proofs: number;
  readonly signUps: number;
}

/**
 * S-15: what is of no use to anybody any more goes: spent proofs, codes, sign-ups that nobody
 * confirmed, windows of rate limits, emails that were sent, sessions that ended, browsers that
 * nobody signs in with any more. What was written for an appointment that was never booked
 * goes with its hold.
 */
export async function sweepSpent(
  { database, rateLimit }: Pick<Platform, 'database' | 'rateLimit'>,
  now: number,
): Promise<Swept> {
  await rateLimit.sweep(now);
  return database.inTransaction(async (tx) => {
    const before = (seconds: number) => now - seconds;
    const gone = {
      proofs: await tx
        .delete(spentProof)
        .where(lt(spentProof.expiresAt, now))
        .returning({ hash: spentProof.proofHash }),
      signUps: await tx
        .delete(pendingSignUp)
        .where(lte(pendingSignUp.expiresAt, now))
        .returning({ id: pendingSignUp.id }),
      codes: await tx
        .delete(oneTimeCode)
        .where(lt(oneTimeCode.expiresAt, before(KEPT.codes)))
        .returning({ id: oneTimeCode.id }),
      sessions: await tx
        .delete(session)
        .where(
          or(
            lt(session.createdAt, before(ABSOLUTE_LIMIT + KEPT.sessions)),
            lt(session.revokedAt, before(KEPT.sessions)),
          ),
        )
        .returning({ hash: session.tokenHash }),
      devices: await tx
        .delete(knownDevice)
        .where(lt(knownDevice.signedInAt, before(DEVICE_KNOWN_FOR)))
        .returning({ hash: knownDevice.tokenHash }),
      emails: await tx
        .delete(outbox)
        .where(lt(outbox.doneAt, before(KEPT.outbox)))
        .returning({ id: outbox.id }),
      gatewayEvents: await tx
        .delete(gatewayEvent)
        .where(lt(gatewayEvent.receivedAt, before(KEPT.gatewayEvents)))
        .returning({ id: gatewayEvent.id }),
    };
    const counts = Object.entries(gone).map(([what, rows]) => [what, rows.length]);
    return Object.fromEntries(counts) as Swept;
  });
}
