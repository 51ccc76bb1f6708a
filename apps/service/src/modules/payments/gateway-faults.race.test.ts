import { NOW } from '@clinic/domain/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  type GatewayFault,
  type SignedEvent,
  signWebhook,
} from '@clinic/practice/payments/practice-gateway.ts';
import { payingClinic } from '../../../testing/paying-clinic.ts';
import type { PayingClinic } from '../../../testing/paying-clinic.ts';
import { patientWaits } from '../../../testing/patient-waits.ts';
import { practiceCard } from '../../../testing/paying.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { databaseOn } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import { chargeAppointment, confirmPayment } from './charge.ts';
import { reconcile } from './reconcile.ts';
import { advancePaymentOfIntent, recordWebhookEvent } from './webhook.ts';

const PAYMENTS = 300;
const AT_ONCE = 10;
const FAULTS: readonly GatewayFault[] = [
  'dropBefore',
  'dropAfter',
  'error500',
  'error500After',
  'tooMany',
  'stall',
];

/** Repeatable chance: the same payments meet the same faults in every run. */
function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

let clinic: PayingClinic;
let faulty: boolean;
let chance: () => number;

beforeEach(async () => {
  faulty = true;
  chance = chanceFrom(20_261_121);
  const url = await testDatabaseUrl();
  clinic = await payingClinic(
    databaseOn(openPostgres({ url, poolSize: 24, waits: patientWaits })),
    {
      faults: () => {
        if (!faulty || chance() > 0.25) return null;
        return FAULTS[Math.floor(chance() * FAULTS.length)] ?? null;
      },
    },
  );
});
afterEach(() => clinic.close());

/** One patient's way: some pay at once, some by way of the bank, some with a bad card first. */
async function onePayment(n: number): Promise<void> {
  const ports = clinic.ports();
  const patientId = await clinic.aPayer();
  const request = clinic.aAppointment(patientId);
  const cards = (['succeeds', 'needsBank', 'declined'] as const).map((kind) => practiceCard(kind));
  const first = { ...request, paymentMethod: cards[n % 3] ?? '' };
  await chargeAppointment(ports, first, clinic.clock.now()).catch(unknown);
  if (n % 3 === 1) {
    const live = await ports.payments.findActive(clinic.database.db, patientId);
    if (live?.intentId) {
      if (n % 2 === 0) await clinic.gateway.decide(live.intentId, n % 4 === 0);
      await confirmPayment(ports, patientId, live.intentId).catch(unknown);
    }
  }
  // Whoever saw an error tries again, with another card.
  await chargeAppointment(
    ports,
    { ...request, paymentMethod: practiceCard() },
    clinic.clock.now(),
  ).catch(unknown);
}
const unknown = () => undefined;

async function settleDown(): Promise<void> {
  faulty = false;
  await clinic.gateway.runStalled();
  await clinic.sweep();
  await clinic.sweep();
}

describe('Three hundred payments under faults of the gateway', () => {
  // Shows: R-40
  test('take each fee at most once, and leave no appointment without money nor money without an appointment', async () => {
    for (let at = 0; at < PAYMENTS; at += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => onePayment(at + n)));
    await settleDown();
    const ports = clinic.ports();
    await reconcile(ports, NOW - 86_400);
    await clinic.sweep();
    const { differences, payments } = await reconcile(ports, NOW - 86_400);
    expect(payments).toBeGreaterThanOrEqual(PAYMENTS);
    expect(differences).toEqual([]);
    expect(await clinic.violations()).toEqual([]);
    const sums = await clinic.money();
    expect(sums.mostCapturesPerAppointment).toBe(1);
    expect(sums.chargedWithoutAppointment).toBe(0);
    expect(sums.appointmentsWithoutMoney).toBe(0);
    expect(sums.appointments).toBeGreaterThan(PAYMENTS / 2);
    process.stdout.write(`payments under faults: ${JSON.stringify(sums)}\n`);
  });
});

/** How webhooks arrive, by the way in which they are disturbed. */
const DELIVERIES = {
  'not at all': { copies: 0, reversed: false, forged: false, late: false },
  'three times each': { copies: 3, reversed: false, forged: false, late: false },
  'in reverse': { copies: 1, reversed: true, forged: false, late: false },
  'after everything is over': { copies: 1, reversed: false, forged: false, late: true },
  'with forged ones between them': { copies: 1, reversed: false, forged: true, late: false },
} as const;

describe('Webhooks', () => {
  // Shows: R-40
  test.each(Object.entries(DELIVERIES))(
    'that come %s lead to the same end',
    async (_, { late, ...faults }) => {
      faulty = false;
      const patients = [];
      for (let n = 0; n < 12; n += 1) {
        const patientId = await clinic.aPayer();
        patients.push(patientId);
        const kind = (['succeeds', 'needsBank', 'needsBank', 'declined'] as const)[n % 4];
        const request = clinic.aAppointment(patientId, practiceCard(kind));
        await chargeAppointment(clinic.ports(), request, clinic.clock.now());
        const live = await clinic.ports().payments.findActive(clinic.database.db, patientId);
        if (n % 4 === 1 && live?.intentId) await clinic.gateway.decide(live.intentId, true);
      }
      const forged = { count: 0, accepted: 0 };
      const deliver = () => deliverAll(faults, forged);
      if (!late) await deliver();
      await clinic.sweep();
      if (late) await deliver();
      await clinic.sweep();
      const ends = await Promise.all(patients.map((patientId) => clinic.ends(patientId)));
      expect(ends.flat()).toEqual(
        patients.map((_, n) =>
          n % 4 < 2 ? 'booked captured succeeded' : 'released cancelled canceled',
        ),
      );
      expect(await clinic.violations()).toEqual([]);
      expect(forged.accepted).toBe(0);
      expect(forged.count > 0).toBe(faults.forged);
    },
  );
});

async function deliverAll(
  faults: WebhookFaults,
  forged: { count: number; accepted: number },
): Promise<void> {
  const ports = clinic.ports();
  const events = await clinic.gateway.signedEvents();
  const honest = new Set(events.map(({ body, signature }) => body + signature));
  for (const event of arrivals(events, faults, (body) =>
    signWebhook('whsec_forged', body, clinic.clock.now()),
  )) {
    const taken = await recordWebhookEvent(ports, Buffer.from(event.body), event.signature);
    if (!honest.has(event.body + event.signature)) {
      forged.count += 1;
      if (taken.kind !== 'forged') forged.accepted += 1;
    }
    if (taken.kind === 'new' && taken.intent !== null)
      await advancePaymentOfIntent(ports, taken.intent);
  }
}

/** How webhooks arrive: each lost, so many times, in which order. */
interface WebhookFaults {
  readonly copies: number;
  readonly reversed: boolean;
  /** Adds, for each, one whose body was changed and one signed with another secret. */
  readonly forged: boolean;
}

/** The calls that arrive for these events. */
function arrivals(
  events: readonly SignedEvent[],
  { copies, reversed, forged }: WebhookFaults,
  signWrongly: (body: string) => string,
): SignedEvent[] {
  const ordered = reversed ? events.toReversed() : [...events];
  return ordered.flatMap((event) => {
    const changed = event.body.replace('"livemode":false', '"livemode":true ');
    const fakes = forged
      ? [
          { body: changed, signature: event.signature },
          { body: event.body, signature: signWrongly(event.body) },
        ]
      : [];
    return [...fakes, ...Array.from({ length: copies }, () => event)];
  });
}
