import { mailText } from '@clinic/contract/mail-texts';
import { type EpochSeconds, formatFee } from '@clinic/domain';
import { eq } from 'drizzle-orm';
import type { Db, Tx } from '../../platform/db.ts';
import { type LetterHead, letterHead, lettersEnd, subjectOf } from '../../platform/letter-head.ts';
import type { Outbox } from '../../platform/outbox.ts';
import type { Platform } from '../../platform/platform.ts';
import { payment } from '../../platform/schema-payments.ts';
import { patient } from '../../platform/schema.ts';
import type { Letter } from '../../ports/mail.ts';

const REFUND_LETTER = 'refund-letter';

/** The payer is told in the transaction that learns that the money was given back. */
export async function enqueueRefundLetter(
  outbox: Pick<Outbox, 'enqueue'>,
  tx: Tx,
  paymentId: string,
  now: EpochSeconds,
): Promise<void> {
  await outbox.enqueue(tx, REFUND_LETTER, { paymentId }, now);
}

export function handleRefundLetters({
  outbox,
  database,
  mail,
  config,
}: Pick<Platform, 'outbox' | 'database' | 'mail' | 'config'>): void {
  const head = letterHead(config);
  outbox.handle(REFUND_LETTER, async ({ paymentId }) => {
    if (typeof paymentId !== 'string') throw new Error('This outbox row is no refund letter');
    const refund = await refundOf(database.db, paymentId);
    if (refund !== null) await mail.send(refundLetter(refund, paymentId, head));
  });
}

interface Refund {
  readonly to: string;
  readonly amountCents: number;
  readonly reference: string;
}

function refundLetter(
  { to, amountCents, reference }: Refund,
  paymentId: string,
  head: LetterHead,
): Letter {
  return {
    key: `refund:${paymentId}`,
    to,
    subject: subjectOf(mailText('refundSubject'), head),
    text: [
      mailText('refund', { amount: formatFee(amountCents) }),
      mailText('reference', { reference }),
      mailText('refundWhen'),
      '',
      ...lettersEnd(head),
    ].join('\n'),
  };
}

async function refundOf(db: Db, paymentId: string): Promise<Refund | null> {
  const [row] = await db
    .select({
      to: patient.email,
      amountCents: payment.amountCents,
      reference: payment.reference,
    })
    .from(payment)
    .innerJoin(patient, eq(patient.id, payment.patientId))
    .where(eq(payment.id, paymentId));
  return row ?? null;
}
