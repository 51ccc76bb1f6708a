import { mailText } from '@clinic/contract/mail-texts';
import { type EpochSeconds, formatFee } from '@clinic/domain';
import type { Tx } from '../../database/db.ts';
import { type EmailHead, emailHead, emailEnd, subjectOf } from '../../server/email-head.ts';
import type { Outbox } from '../../database/outbox.store.ts';
import type { Platform } from '../../platform.ts';
import type { Email } from '../../server/ports.ts';
import { type Refund, refundOf } from './store.ts';

const REFUND_EMAIL = 'refund-email';

/** The payer is told in the transaction that learns that the money was given back. */
export async function enqueueRefundEmail(
  outbox: Pick<Outbox, 'enqueue'>,
  tx: Tx,
  paymentId: string,
  now: EpochSeconds,
): Promise<void> {
  await outbox.enqueue(tx, REFUND_EMAIL, { paymentId }, now);
}

export function handleRefundEmails({
  outbox,
  database,
  mail,
  config,
}: Pick<Platform, 'outbox' | 'database' | 'mail' | 'config'>): void {
  const head = emailHead(config);
  outbox.handle(REFUND_EMAIL, async ({ paymentId }) => {
    if (typeof paymentId !== 'string') throw new Error('This outbox row is no refund email');
    const refund = await refundOf(database.db, paymentId);
    if (refund !== null) await mail.send(refundEmail(refund, paymentId, head));
  });
}

function refundEmail(
  { to, amountCents, reference }: Refund,
  paymentId: string,
  head: EmailHead,
): Email {
  return {
    key: `refund:${paymentId}`,
    to,
    subject: subjectOf(mailText('refundSubject'), head),
    text: [
      mailText('refund', { amount: formatFee(amountCents) }),
      mailText('reference', { reference }),
      mailText('refundWhen'),
      '',
      ...emailEnd(head),
    ].join('\n'),
  };
}
