import { allowedChanges } from '@clinic/domain';

import type { Clock } from '../../ports/clock.ts';
import type { Mail } from '../../ports/mail.ts';
import type { Database } from '../../platform/db.ts';
import type { LetterHead } from '../../platform/letter-head.ts';
import type { OutboxHandler } from '../../platform/outbox.ts';
import { receiptOf } from '../visit-money/index.ts';
import { visitLetter } from './letters.ts';
import type { VisitEvent } from './letters.ts';
import { asAppointment } from './reschedule-target.ts';
import { letterFacts } from './visits.store.ts';

const EVENTS: readonly string[] = ['booked', 'rescheduled', 'cancelled'] satisfies VisitEvent[];
const isEvent = (text: unknown): text is VisitEvent =>
  typeof text === 'string' && EVENTS.includes(text);

/** Writes and sends the letter that an outbox row stands for; the row itself names nobody (S-8). */
export function sendVisitLetter(
  ports: { readonly database: Database; readonly mail: Mail; readonly clock: Clock },
  head: LetterHead,
): OutboxHandler {
  return async ({ event, claimId, sequence, byClinic }) => {
    if (!isEvent(event) || typeof claimId !== 'string')
      throw new Error('This outbox row is no visit letter');
    const facts = await letterFacts(ports.database.db, claimId);
    if (facts === null) return;
    const { claim, doctor, movedFrom, to } = facts;
    const paid = event === 'booked' && claim.paidCents > 0;
    const receipt = paid ? await receiptOf(ports.database.db, claimId) : null;
    const now = ports.clock.now();
    const visit = {
      claimId,
      bookingNumber: claim.bookingNumber ?? claim.id,
      // A row of an earlier version has no number of its own.
      sequence: typeof sequence === 'number' ? sequence : claim.sequence,
      type: claim.type,
      contactPreference: claim.contactPreference,
      start: claim.start,
      end: claim.end,
      doctor,
      changes: allowedChanges(asAppointment(claim), now),
      ...(receipt === null ? {} : { receipt }),
      ...(byClinic === true ? { byClinic: { refundedCents: claim.paidCents } } : {}),
      ...(event === 'rescheduled' && movedFrom !== null ? { movedFrom } : {}),
    };
    await ports.mail.send(visitLetter(event, to, visit, head, now));
  };
}
