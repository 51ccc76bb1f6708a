import type { FastifyInstance } from 'fastify';

import { endsOutside } from '../../server/observed.ts';
import { paymentOfIntent } from './charge.ts';
import { advancePayment } from './advance-payment.ts';
import type { PaymentPorts } from './advance-payment.ts';

/** Receives webhook calls as raw bytes: the signature covers these, not what they parse to. */
export function receiveWebhooks(ports: PaymentPorts) {
  return async (app: FastifyInstance): Promise<void> => {
    // Payments are advanced after the reply: the service waits for them before it ends.
    const underWay = new Set<Promise<void>>();
    app.addHook('onClose', () => Promise.all(underWay).then(() => undefined));
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
    app.post<{ Body: Buffer | undefined }>(
      '/webhooks/stripe',
      { config: { limit: 'none' } },
      async (request, reply) => {
        const signature = request.headers['stripe-signature'];
        const recorded = await recordWebhookEvent(
          ports,
          request.body ?? Buffer.alloc(0),
          typeof signature === 'string' ? signature : '',
        );
        if (recorded.kind === 'forged') return reply.code(400).send();
        if (recorded.kind === 'new' && recorded.intent !== null) {
          const advancing = advancePaymentOfIntent(ports, recorded.intent)
            .catch((error: unknown) => ports.log.error('settle-failed', error))
            .finally(() => underWay.delete(advancing));
          underWay.add(advancing);
        }
        return reply.code(200).send();
      },
    );
  };
}

/**
 * Records an event once. Its content is not believed: it only makes us read the gateway. Its payment is
 * due from this transaction on, so that it is advanced even if this process ends here.
 */
export async function recordWebhookEvent(ports: PaymentPorts, body: Uint8Array, signature: string) {
  const { database, payments, gateway, clock, reports } = ports;
  const now = clock.now();
  const event = gateway.verifyWebhook(body, signature, now);
  if (event === 'forged' || event === 'unknown') {
    reports.report({ kind: 'webhook', code: event === 'forged' ? 'signature' : 'shape' });
    // A signed event of a shape that is not known is reported, and Stripe need not send it again.
    return { kind: event };
  }
  endsOutside('webhook', event.type, Math.max(0, now - event.createdAt));
  const known =
    event.intent === null ? null : await payments.findByIntent(database.db, event.intent);
  const isNew = await database.inTransaction(async (tx) => {
    const noted = await payments.recordEvent(tx, event, now);
    if (noted && known !== null) await payments.makeDue(tx, known.id, now);
    return noted;
  });
  if (!isNew) return { kind: 'again' as const };
  return { kind: 'new' as const, intent: event.intent };
}

export async function advancePaymentOfIntent(ports: PaymentPorts, intent: string): Promise<void> {
  const payment = await paymentOfIntent(ports, intent);
  if (payment !== null && payment !== 'unanswered') await advancePayment(ports, payment.id);
}
