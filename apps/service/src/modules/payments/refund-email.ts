import { mailText } from '@clinic/contract/mail-texts';
import { formatMoney } from '@clinic/texts';
import { signed } from '../../server/email-layout.ts';
import type { Platform } from '../../platform.ts';
import { refundOf } from './joined.store.ts';

/** The email to the payer, queued in the transaction that learns that the money was refunded. */
export const REFUND_EMAIL = 'refund-email';

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
    const email = signed(locale, config.clinic, mailText(locale, 'refundSubject'), [
      mailText(locale, 'refund', { amount: formatMoney(locale, amountCents) }),
      [mailText(locale, 'reference', { reference })],
      mailText(locale, 'refundWhen'),
    ]);
    await mail.send({ key: `refund:${paymentId}`, to, ...email });
  });
}
