import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { type SignedEvent, signWebhook } from '@clinic/practice/payments/practice-gateway.ts';
import { type TestApp, aClinic, aPatient, signIn, testApp } from '../../../testing/index.ts';
import {
  charge,
  intentOf,
  paymentRows,
  portsOf,
  practiceCard,
  privateAppointment,
} from '../../../testing/paying.ts';
import { gatewayEvent } from './schema.ts';
import { webhookStanding } from './store.ts';
import { advancePaymentOfIntent, recordWebhookEvent } from './webhook.ts';

let clinic: TestApp;
let events: readonly SignedEvent[];

beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
  const token = await signIn(clinic, await aPatient(clinic));
  const body = privateAppointment({ payment_method_id: practiceCard('needsBank') });
  await clinic.gateway.decide(intentOf(await charge(clinic, token, body)), true);
  events = await clinic.gateway.signedEvents();
});
afterEach(() => clinic.close());

const post = ({ body, signature }: SignedEvent) =>
  clinic.app.inject({
    method: 'POST',
    url: '/webhooks/stripe',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    payload: body,
  });
const newest = (): SignedEvent => events.at(-1) ?? { body: '', signature: '' };
const states = async () => (await paymentRows(clinic)).map(({ state }) => state);

const AN_EVENT = {
  id: 'evt_1',
  type: 'charge.refunded',
  created: 1,
  data: { object: { object: 'charge', id: 'ch_1' } },
};

describe('A webhook', () => {
  // Shows: R-40
  test('is answered at once, and its payment settled behind it', async () => {
    expect((await post(newest())).statusCode).toBe(200);
    await expect.poll(states).toEqual(['captured']);
  });

  test('is told of as heard, beside what was settled meanwhile', async () => {
    const standing = () => webhookStanding(clinic.database.db, clinic.clock.now() - 86_400);
    expect(await standing()).toEqual({ settled: false, heard: false });
    await post(newest());
    await expect.poll(standing).toEqual({ settled: true, heard: true });
    clinic.clock.advance(86_401);
    expect(await standing()).toEqual({ settled: false, heard: false });
  });

  test('makes its payment due, so that a process that ends here loses nothing', async () => {
    const ports = portsOf(clinic);
    await recordWebhookEvent(ports, Buffer.from(newest().body), newest().signature);
    expect((await paymentRows(clinic)).map(({ dueAt }) => dueAt)).toEqual([clinic.clock.now()]);
  });

  test('that comes twice is answered twice and taken once', async () => {
    expect([(await post(newest())).statusCode, (await post(newest())).statusCode]).toEqual([
      200, 200,
    ]);
    expect(await clinic.database.db.select().from(gatewayEvent)).toHaveLength(1);
  });

  test.each([
    ['changed', { body: (text: string) => text.replace('requires', 'required'), signature: null }],
    ['not signed', { body: (text: string) => text, signature: '' }],
    ['signed by another', { body: (text: string) => text, signature: 't=1,v1=00' }],
  ])('that is %s is a 400 and changes nothing', async (_, { body, signature }) => {
    const [first] = events;
    const forged = {
      body: body(first?.body ?? ''),
      signature: signature ?? first?.signature ?? '',
    };
    expect((await post(forged)).statusCode).toBe(400);
    expect([await states(), await clinic.database.db.select().from(gatewayEvent)]).toEqual([
      ['requires_action'],
      [],
    ]);
  });

  // Shows: R-40
  test.each([
    ['no JSON', 'hello'],
    ['nothing', 'null'],
    [
      'a thin event',
      '{"object":"v2.core.event","id":"evt_1","type":"v1.x","created":"2026-11-21"}',
    ],
    ['an event without an object', '{"id":"evt_1","type":"x","created":1,"data":{}}'],
    ['an id that no database keeps', JSON.stringify({ ...AN_EVENT, id: 'evt\0' })],
    ['an object without an id', JSON.stringify({ ...AN_EVENT, data: { object: 7 } })],
  ])('that is signed and holds %s is a 200, reported and not taken', async (_, body) => {
    const report = vi.spyOn(clinic.platform.reports, 'report');
    const signature = signWebhook('practice-webhooks', body, clinic.clock.now());
    expect((await post({ body, signature })).statusCode).toBe(200);
    expect(report.mock.calls).toEqual([[{ kind: 'webhook', code: 'shape' }]]);
    expect(await clinic.database.db.select().from(gatewayEvent)).toEqual([]);
  });

  test('that is older than 300 seconds is a 400', async () => {
    clinic.clock.advance(301);
    expect((await post(newest())).statusCode).toBe(400);
  });

  test('about an intent that is nobody’s makes nobody look', async () => {
    await advancePaymentOfIntent(portsOf(clinic), 'pi_practice_nobody');
    expect(await states()).toEqual(['requires_action']);
  });
});
