import { describe, expect, test } from 'vitest';
import { readStripe, type Environment, StartRefused } from '@clinic/service/environment.ts';
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

describe('The keys of Stripe', () => {
  const keys: Environment = {
    STRIPE_SECRET_KEY: 'sk',
    STRIPE_PUBLISHABLE_KEY: 'pk',
    STRIPE_WEBHOOK_SECRET: 'wh',
  };

  test('are all there or none', () => {
    expect(readStripe({})).toBeNull();
    expect(readStripe(keys)).toMatchObject({ secretKey: 'sk', publishableKey: 'pk' });
    for (const name of Object.keys(keys))
      expect(() => readStripe({ ...keys, [name]: '' })).toThrow(StartRefused);
  });

  test('may name another host, whose bank pages are then believed', () => {
    const local = {
      STRIPE_API_HOST: '127.0.0.1',
      STRIPE_API_PORT: '9',
      STRIPE_API_PROTOCOL: 'http',
    };
    expect(readStripe({ ...keys, ...local })).toMatchObject({
      host: '127.0.0.1',
      port: 9,
      protocol: 'http',
      bankOrigins: ['https://hooks.stripe.com', 'https://stripe.com', 'http://127.0.0.1:9'],
    });
    expect(() => readStripe({ ...keys, STRIPE_API_PROTOCOL: 'ftp' })).toThrow(StartRefused);
    expect(() => readStripe({ ...keys, STRIPE_API_PORT: 'x' })).toThrow(StartRefused);
  });
});
