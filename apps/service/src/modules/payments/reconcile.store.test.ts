import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { NOW } from '@clinic/domain/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type TestApp, aClinic, aPatient, signIn, testApp } from '../../../testing/index.ts';
import {
  charge,
  intentOf,
  paymentRows,
  portsOf,
  practiceCard,
  privateAppointment,
} from '../../../testing/paying.ts';
import { appointment, practiceIntent } from '../../schema.ts';
import { payment } from './schema.ts';
import { needsOperator, reconcile, reconcileReport } from './reconcile.ts';
import { payments } from './store.ts';

let clinic: TestApp;
let token: string;
beforeEach(async () => {
  clinic = await testApp();
  await aClinic(clinic);
  token = await signIn(clinic, await aPatient(clinic));
});
afterEach(() => clinic.close());

const pay = (over = {}) => charge(clinic, token, privateAppointment(over));
const reconciled = () => reconcile(portsOf(clinic), NOW - 86_400);
const states = async () => (await paymentRows(clinic)).map(({ state }) => state);
const change = (set: Partial<typeof payment.$inferInsert>) =>
  clinic.database.inTransaction((tx) => tx.update(payment).set(set));
const changeIntent = (set: Partial<typeof practiceIntent.$inferInsert>) =>
  clinic.database.inTransaction((tx) => tx.update(practiceIntent).set(set));

describe('Reconciling with the gateway', () => {
  test('finds nothing where both books agree, and says the sums', async () => {
    await pay();
    const report = await reconciled();
    expect(report).toEqual({
      intents: 1,
      payments: 1,
      capturedCents: 20_000,
      refundedCents: 0,
      differences: [],
      left: 0,
    });
    expect(reconcileReport(report)).toEqual([
      '1 intents at the gateway, 1 payments here',
      'taken CAD 200.00, given back CAD 0.00',
      'No differences',
    ]);
  });

  test('knows the payment of an intent that was begun just before the time looked at', async () => {
    await pay();
    await change({ createdAt: NOW - 86_401 });
    expect(await reconciled()).toMatchObject({ intents: 1, differences: [] });
  });

  test('books what the bank approved and nobody heard of', async () => {
    await clinic.gateway.decide(
      intentOf(await pay({ payment_method_id: practiceCard('needsBank') })),
      true,
    );
    const { differences } = await reconciled();
    expect(differences).toMatchObject([{ what: 'unsettled', outcome: 'repaired' }]);
    expect([await states(), (await reconciled()).differences]).toEqual([['captured'], []]);
  });

  test('adopts an intent whose create call was never answered', async () => {
    await pay({ payment_method_id: practiceCard('needsBank') });
    await change({ state: 'created', intentId: null });
    expect((await reconciled()).differences).toMatchObject([{ outcome: 'repaired' }]);
    expect(await states()).toEqual(['requires_action']);
  });

  test('cancels what is authorised although its payment was given up', async () => {
    await pay({ payment_method_id: practiceCard('declined') });
    await change({ state: 'cancelled', intentId: null });
    await changeIntent({ status: 'requires_capture' });
    expect((await reconciled()).differences).toMatchObject([{ outcome: 'repaired' }]);
    expect(await clinic.gateway.listIntents(0)).toMatchObject([{ status: 'cancelled' }]);
  });

  test('gives back what was taken for a slot that the clinic took back long ago', async () => {
    await pay();
    await clinic.database.inTransaction((tx) =>
      tx
        .update(appointment)
        .set({ state: 'cancelled', changedAt: NOW - 80_000 })
        .where(eq(appointment.state, 'booked')),
    );
    await reconciled();
    expect(await states()).toEqual(['refunded']);
  });

  test.each([
    ['an amount that is not ours', { amountCents: 19_999, capturedCents: 19_999 }],
    [
      'an appointment whose money was given back at the gateway',
      { refund: { status: 'succeeded' as const, amountCents: 20_000 } },
    ],
    ['an appointment whose money is gone', { status: 'canceled' as const, capturedCents: 0 }],
  ])('raises an alarm for %s', async (_, set) => {
    await pay();
    await changeIntent(set);
    const report = await reconciled();
    expect(report.differences).toMatchObject([{ outcome: 'alarm' }]);
    expect(needsOperator(report)).toBe(true);
    expect(reconcileReport(report).join('\n')).toContain('ALARM');
  });

  test('raises an alarm for an intent that no payment knows, and touches it not', async () => {
    await clinic.gateway.createAndConfirm({
      key: 'another-program',
      payment: 'something else',
      amountCents: 5_000,
      paymentMethod: practiceCard(),
    });
    expect((await reconciled()).differences).toMatchObject([
      { what: 'stranger', outcome: 'alarm' },
    ]);
    expect(await clinic.gateway.listIntents(0)).toMatchObject([{ status: 'authorised' }]);
  });

  test('raises an alarm for a payment whose intent is gone', async () => {
    await pay();
    await clinic.database.inTransaction((tx) => tx.delete(practiceIntent));
    expect((await reconciled()).differences).toMatchObject([
      { what: 'missingIntent', outcome: 'alarm' },
    ]);
  });
});

test('What is due comes by how long it has been, and nothing that somebody is at', async () => {
  const row = (dueAt: number | null, leaseUntil: number | null = null) => ({
    id: randomUUID(),
    patientId: randomUUID(),
    appointmentId: randomUUID(),
    amountCents: 20_000,
    state: 'capturing' as const,
    reference: 'P-1',
    paymentMethod: practiceCard(),
    dueAt,
    leaseUntil,
    createdAt: NOW,
    changedAt: NOW,
  });
  const overdue = [30, 10, 50, 20, 60, 40].map((seconds) => row(NOW - seconds));
  const others = [row(NOW + 1), row(null), row(NOW - 70, NOW + 1)];
  await clinic.database.inTransaction((tx) =>
    tx.insert(payment).values([...overdue, ...others, row(NOW - 80, NOW)]),
  );
  const due = await payments.listDue(clinic.database.db, NOW, 5);
  const dueAt = new Map((await paymentRows(clinic)).map((each) => [each.id, each.dueAt ?? 0]));
  expect(due.map((id) => NOW - (dueAt.get(id) ?? 0))).toEqual([80, 60, 50, 40, 30]);
});
