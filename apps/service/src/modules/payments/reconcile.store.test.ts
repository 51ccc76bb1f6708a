import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { NOW } from '@clinic/domain/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { type TestApp, patientClinic } from '../../../testing/index.ts';
import {
  charge,
  intentOf,
  paymentRows,
  portsOf,
  practiceCard,
  privateAppointment,
} from '../../../testing/paying.ts';
import { appointment, practiceIntent } from '../../schema.ts';
import type { ErrorReport } from '../../server/log.ts';
import { GatewayUnreachable, type PaymentGateway } from './gateway.ts';
import { payment } from './schema.ts';
import { needsOperator, reconcile, reconcileIfDue, reconcileReport } from './reconcile.ts';
import { payments } from './store.ts';

let clinic: TestApp;
let token: string;
beforeEach(async () => {
  ({ clinic, token } = await patientClinic());
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
      isComplete: true,
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

  test.each([
    ['whose own is known', { state: 'requires_action' as const }],
    ['of which neither was heard of', { state: 'created' as const, intentId: null }],
  ])(
    'raises an alarm for a second intent of a payment %s, until it is cancelled',
    async (_, set) => {
      await pay({ payment_method_id: practiceCard('needsBank') });
      const [{ id } = { id: '' }] = await paymentRows(clinic);
      await clinic.gateway.createAndConfirm({
        key: 'doubled',
        payment: id,
        amountCents: 20_000,
        paymentMethod: practiceCard(),
      });
      await change(set);
      expect((await reconciled()).differences).toContainEqual(
        expect.objectContaining({ payment: id, what: 'secondIntent', outcome: 'alarm' }),
      );
      const [{ intentId } = { intentId: null }] = await paymentRows(clinic);
      const second = (await clinic.gateway.listIntents(0)).find((each) => each.id !== intentId);
      await clinic.gateway.cancel('mended', second?.id ?? '');
      expect((await reconciled()).differences).toEqual([]);
    },
  );

  test('raises an alarm for a payment whose intent is gone', async () => {
    await pay();
    await clinic.database.inTransaction((tx) => tx.delete(practiceIntent));
    expect((await reconciled()).differences).toMatchObject([
      { what: 'missingIntent', outcome: 'alarm' },
    ]);
  });
});

describe('Reconciling in turn', () => {
  const HOUR = 3_600;
  const ALL_DAYS = 8 * 24;
  const DAY = [ALL_DAYS, ...Array.from({ length: 23 }, () => 2)];
  /** The calls to the gateway: how many hours were listed, and intents that were asked for alone. */
  let calls: (number | string)[];
  let alarms: string[];
  let isAway: boolean;
  beforeEach(() => {
    [calls, alarms, isAway] = [[], [], false];
  });

  function counted() {
    const ports = portsOf(clinic);
    const gateway: PaymentGateway = {
      ...ports.gateway,
      async listIntents(since) {
        calls.push((clinic.clock.now() - since) / HOUR);
        if (isAway) throw new GatewayUnreachable('away');
        return ports.gateway.listIntents(since);
      },
      async retrieve(intent) {
        calls.push(intent);
        if (isAway) throw new GatewayUnreachable('away');
        return ports.gateway.retrieve(intent);
      },
    };
    const reports = { ...ports.reports, report: ({ code }: ErrorReport) => alarms.push(code) };
    return { ...ports, gateway, reports };
  }
  /** A process that has started now. */
  function aProcess() {
    const startedAt = clinic.clock.now();
    return () => reconcileIfDue(counted(), startedAt);
  }
  /** The calls of these hours, in each of which one process reconciles. */
  async function hours(many: number, ...processes: (() => Promise<boolean>)[]) {
    for (let hour = 0; hour < many; hour += 1) {
      clinic.clock.advance(HOUR);
      const turns = await Promise.all(processes.map((turn) => turn()));
      expect(turns.filter(Boolean)).toHaveLength(1);
    }
    return calls.splice(0);
  }

  test('lists the last two hours each hour, in one of several processes, and eight days once a day', async () => {
    await pay();
    const processes = [aProcess(), aProcess(), aProcess()];
    expect(await hours(24, ...processes)).toEqual(DAY);
    expect(await hours(24, ...processes)).toEqual(DAY);
    expect((await Promise.all(processes.map((turn) => turn()))).some(Boolean)).toBe(false);
    expect(calls).toEqual([]);
  });

  test('asks for an older payment that is not finished by itself, and settles it', async () => {
    await pay();
    const turn = aProcess();
    await hours(3, turn);
    const intent = (await paymentRows(clinic))[0]?.intentId;
    await change({ state: 'capturing', dueAt: null });
    // Asked for, and read once more under the lease, in which it is settled.
    expect(await hours(1, turn)).toEqual([2, intent, intent]);
    expect([await states(), await hours(1, turn)]).toEqual([['captured'], [2]]);
  });

  test('finds within a day what an older row that was lost hides', async () => {
    await pay();
    const turn = aProcess();
    await hours(3, turn);
    await clinic.database.inTransaction((tx) => tx.delete(payment));
    await hours(21, turn);
    expect(alarms).toEqual([]);
    await hours(1, turn);
    expect(alarms).toEqual(['stranger']);
  });

  test('lists eight days once more after a start, as after a restore, whichever process has its turn', async () => {
    const [stays, restarts] = [aProcess(), aProcess()];
    await hours(3, stays, restarts);
    const [one, other] = [aProcess(), aProcess()];
    expect(await hours(1, one)).toEqual([ALL_DAYS]);
    expect(await hours(2, other, one)).toEqual([2, 2]);
  });

  test('goes on from the last look that was complete, and lists eight days after more than two hours', async () => {
    await pay();
    const turn = aProcess();
    await hours(2, turn);
    calls = [];
    isAway = true;
    const fails = async () => {
      clinic.clock.advance(HOUR);
      await expect(turn()).rejects.toThrow('away');
    };
    await fails();
    isAway = false;
    expect(await hours(1, turn)).toEqual([2, 3]);
    isAway = true;
    for (let many = 0; many < 2; many += 1) await fails();
    isAway = false;
    expect(await hours(1, turn)).toEqual([2, 3, ALL_DAYS]);
    expect(await hours(1, turn)).toEqual([2]);
  });

  test('looks again at a payment at rest that the gateway did not answer for', async () => {
    await pay();
    const intent = (await paymentRows(clinic))[0]?.intentId;
    await changeIntent({ refund: { status: 'succeeded', amountCents: 20_000 } });
    const ports = counted();
    const isSilent = { now: true };
    const retrieve: PaymentGateway['retrieve'] = (id) =>
      isSilent.now ? Promise.reject(new GatewayUnreachable('away')) : ports.gateway.retrieve(id);
    const silent = { ...ports, gateway: { ...ports.gateway, retrieve } };
    const turn = () => reconcileIfDue(silent, NOW);
    expect(await hours(1, turn)).toEqual([ALL_DAYS]);
    isSilent.now = false;
    expect(await hours(1, turn)).toEqual([ALL_DAYS, intent]);
    expect([await states(), await hours(1, turn)]).toEqual([['refunded'], [2]]);
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
