import { describe, expect, test } from 'vitest';
import { paymentPorts, reconcile } from '@clinic/service/modules/payments/index.ts';
import { practiceClinic } from '../testing/practice-clinic.ts';

describe('Card payments of the practice clinic', () => {
  const clinic = practiceClinic();

  test('begin with the paid appointments of vera and rosa in both books, without a difference', async () => {
    const { platform } = clinic().app;
    if (platform.cardPayments === undefined) throw new Error('The practice clinic takes no cards');
    const report = await reconcile(paymentPorts(platform, platform.cardPayments), 0);
    expect(report).toMatchObject({
      intents: 2,
      payments: 2,
      capturedCents: 27_500,
      differences: [],
      left: 0,
    });
  });

  test('have a bank page that belongs to no payment', async () => {
    const { statusCode, body } = await clinic().app.inject('/practice/bank/pi_nobody');
    expect([statusCode, body.includes('There is no payment to approve here.')]).toEqual([
      404,
      true,
    ]);
  });

  test('refuse a webhook call that is not signed', async () => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' };
    const { statusCode } = await clinic().app.inject({
      method: 'POST',
      url: '/webhooks/stripe',
      headers,
      payload: '{}',
    });
    expect(statusCode).toBe(400);
  });
});
