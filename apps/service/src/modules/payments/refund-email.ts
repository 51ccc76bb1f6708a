import { mailText } from '@clinic/contract/mail-texts';
import type { EpochSeconds } from '@clinic/domain';
import { formatMoney } from '@clinic/texts';
import type { Tx } from '../../database/db.ts';
import { signed } from '../../server/emails.ts';
import type { Outbox } from '../../database/outbox.store.ts';
import type { Platform } from '../../platform.ts';
import { refundOf } from './joined.store.ts';

const REFUND_EMAIL = 'refund-email';

/** Queues the email to the payer, in the transaction that learns that the money was given back. */
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
  outbox.handle(REFUND_EMAIL, async ({ paymentId }) => {
    if (typeof paymentId !== 'string') throw new Error('This outbox row is no refund email');
    const refund = await refundOf(database.db, paymentId);
    if (refund === null) return;
    const { to, language: locale, amountCents, reference } = refund;
    const said = signed(locale, config.clinic, mailText(locale, 'refundSubject'), [
      mailText(locale, 'refund', { amount: formatMoney(locale, amountCents) }),
      [mailText(locale, 'reference', { reference })],
      mailText(locale, 'refundWhen'),
    ]);
    await mail.send({ key: `refund:${paymentId}`, to, ...said });
  });
}
