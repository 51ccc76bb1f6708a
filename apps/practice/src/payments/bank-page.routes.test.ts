import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '@clinic/service/testing/test-database.ts';
import type { Intent } from '@clinic/service/modules/payments/gateway.ts';
import { randomIds } from '@clinic/service/server/ports.ts';
import { practiceBank } from './bank-page.ts';
import { createPracticeGateway } from './practice-gateway.ts';

describe('the practice bank', () => {
  let close: () => Promise<unknown>;
  let app: FastifyInstance;
  let intent: Intent;

  beforeEach(async () => {
    const database = await testDatabase();
    const gateway = createPracticeGateway({
      database,
      clock: { now: () => 1_795_280_400 },
      ids: randomIds,
      secret: 's',
      publicUrl: 'http://clinic.test',
    });
    app = Fastify();
    await app.register(practiceBank(gateway, 'http://clinic.test/booking/payment/success'));
    intent = await gateway.createAndConfirm({
      key: 'k',
      payment: 'p',
      amountCents: 15_000,
      paymentMethod: 'pm_practice_needsBank_1',
    });
    close = () => Promise.all([app.close(), database.close()]);
  });
  afterEach(() => close());

  const path = () => new URL(intent.bankUrl ?? '').pathname;
  const decide = (decision: string) =>
    app.inject({
      method: 'POST',
      url: path(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `decision=${decision}`,
    });
  const backTo = (status: string) =>
    `http://clinic.test/booking/payment/success?payment_intent=${intent.id}&payment_intent_client_secret=${intent.id}_secret_practice&redirect_status=${status}`;

  it('asks Approve or Decline and names the amount', async () => {
    const { statusCode, body } = await app.inject(path());
    expect(statusCode).toBe(200);
    expect(body).toContain('CAD 150.00');
    expect(body).toMatch(/>Approve<[\s\S]*>Decline</);
  });

  it.each([
    ['approve', 'succeeded'],
    ['decline', 'failed'],
  ])('sends the patient back after %s', async (decision, status) => {
    const { statusCode, headers } = await decide(decision);
    expect([statusCode, headers.location]).toEqual([303, backTo(status)]);
  });

  it('changes nothing on a second answer, and sends the patient on when asked again', async () => {
    await decide('approve');
    expect((await decide('decline')).headers.location).toBe(backTo('succeeded'));
    expect((await app.inject(path())).headers.location).toBe(backTo('succeeded'));
  });

  it('knows no other payment, and no other answer', async () => {
    expect((await app.inject('/practice/bank/pi_nobody')).statusCode).toBe(404);
    expect((await decide('perhaps')).statusCode).toBe(400);
  });
});
