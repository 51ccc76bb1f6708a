import * as fc from 'fast-check';
import { addDays, dayTemplate, toClinic, toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { and, eq, inArray } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { testSeed } from '../../../../../tools/test-seed.ts';
import { payingClinic } from '../../../testing/paying-clinic.ts';
import type { PayingClinic, PayingPorts } from '../../../testing/paying-clinic.ts';
import { patientWaits } from '../../../testing/patient-waits.ts';
import { practiceCard } from '../../../testing/paying.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { databaseOn } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import { appointment, appointmentStep, payment } from '../../schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { cancelAppointment } from '../appointments/cancel.ts';
import { expireHolds, releaseHold } from '../appointments/holds.ts';
import { book, move } from '../appointments/reserve.ts';
import { chargeAppointment, confirmPayment } from './charge.ts';
import { reconcile } from './reconcile.ts';
import { refundFee } from './ask-refund.ts';
import { sweepPayments } from './advance-payment.ts';

/** In so many clinics, one after the other: the invariants look at all stories of a clinic each time. */
const CLINICS = 10;
const RUNS = 30;
const COMMANDS = 30;
const LOOK_EVERY = 8;
const PATIENTS = 3;
const GROUPS_A_DAY = 8;
/** O in the morning; from noon on slots that serve V and PP. */
const CODES = dayTemplate([
  { code: 'O', from: 8 * 12, to: 12 * 12 },
  { code: 'A', from: 12 * 12, to: 20 * 12 },
]);

let clinic: PayingClinic;
let groups = 0;
beforeEach(async () => {
  groups = 0;
  const url = await testDatabaseUrl();
  const database = databaseOn(openPostgres({ url, poolSize: 8, waits: patientWaits }));
  clinic = await payingClinic(database, { days: 89, codes: CODES });
});
afterEach(() => clinic.close());

const who = fc.nat({ max: PATIENTS - 1 });
/** Two days, three times of each kind. */
const slot = fc.nat({ max: 5 });
const commands = fc.oneof(
  fc.record({ do: fc.constant('book' as const), who, slot }),
  fc.record({
    do: fc.constant('charge' as const),
    who,
    slot,
    type: fc.constantFrom('V' as const, 'PP' as const),
    card: fc.constantFrom('succeeds' as const, 'needsBank' as const, 'declined' as const),
  }),
  fc.record({ do: fc.constant('decide' as const), who, approved: fc.boolean() }),
  fc.record({ do: fc.constant('confirm' as const), who }),
  fc.record({ do: fc.constant('cancel' as const), who, appointment: fc.nat({ max: 1 }) }),
  fc.record({ do: fc.constant('reschedule' as const), who, appointment: fc.nat({ max: 1 }), slot }),
  fc.record({ do: fc.constant('release' as const), who }),
  fc.record({ do: fc.constant('takeBack' as const), who, appointment: fc.nat({ max: 1 }) }),
  fc.record({ do: fc.constant('refund' as const), who, appointment: fc.nat({ max: 1 }) }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 11, 16, 31) }),
);
type Command = typeof commands extends fc.Arbitrary<infer C> ? C : never;

/** What the model knows of a patient: how much is kept and how much given back, in cents. */
interface Known {
  readonly id: PatientId;
  kept: number;
  returned: number;
}

class World {
  readonly known: Known[];
  readonly ports: PayingPorts = clinic.ports();
  readonly group = groups++;

  constructor(ids: readonly PatientId[]) {
    this.known = ids.map((id) => ({ id, kept: 0, returned: 0 }));
  }

  now(): number {
    return clinic.clock.now();
  }

  span(type: 'O' | 'V' | 'PP', n: number) {
    const day = addDays(
      toClinic(NOW).date,
      2 + 2 * Math.floor(this.group / GROUPS_A_DAY) + (n % 2),
    );
    const first = toInstant(day, type === 'O' ? '08:00' : '12:00');
    const start = first + ((this.group % GROUPS_A_DAY) * 3 + Math.floor(n / 2)) * 300;
    return { providerId: '101', start, end: start + 300, type };
  }

  async appointments(id: PatientId) {
    return clinic.database.db
      .select()
      .from(appointment)
      .where(
        and(eq(appointment.patientId, id), inArray(appointment.state, ['booked', 'registered'])),
      )
      .orderBy(appointment.createdAt, appointment.id);
  }

  request(known: Known, span: ReturnType<World['span']>) {
    return {
      patientId: known.id,
      slot: span,
      answers: { reason: 'A cough' },
      requestKey: `sent:${crypto.randomUUID()}`,
      claimed: { ticklers: [], paymentToken: null },
    };
  }

  async run(command: Command): Promise<void> {
    const { ports } = this;
    if (command.do === 'wait') {
      clinic.clock.advance(command.minutes * 60);
      await sweepPayments(ports);
      await expireHolds(ports, this.now());
      return;
    }
    const known = this.known[command.who];
    if (known === undefined) throw new Error('Nobody');
    switch (command.do) {
      case 'book': {
        const request = this.request(known, this.span('O', command.slot));
        await book(ports, request, this.now());
        return;
      }
      case 'charge': {
        const cents = command.type === 'V' ? 20_000 : 7_500;
        const request = {
          ...this.request(known, this.span(command.type, command.slot)),
          amountCents: cents,
          paymentMethod: practiceCard(command.card),
          providerId: null,
        };
        const charged = await chargeAppointment(ports, request, this.now());
        if (
          'advanced' in charged &&
          charged.advanced.payment.paymentMethod !== request.paymentMethod
        )
          throw new Error('Another card than the one handed over was charged');
        return;
      }
      case 'decide': {
        const live = await ports.payments.findActive(clinic.database.db, known.id);
        if (live?.intentId) await clinic.gateway.decide(live.intentId, command.approved);
        return;
      }
      case 'confirm': {
        const live = await ports.payments.findActive(clinic.database.db, known.id);
        if (live?.intentId) await confirmPayment(ports, known.id, live.intentId);
        return;
      }
      case 'cancel': {
        const appointment = (await this.appointments(known.id))[command.appointment];
        if (appointment === undefined) return;
        const outcome = await cancelAppointment(ports, known.id, appointment.id, this.now());
        if (outcome.kind === 'cancelled') known.kept += appointment.paidCents;
        return;
      }
      case 'reschedule': {
        const appointment = (await this.appointments(known.id))[command.appointment];
        if (appointment === undefined) return;
        const span = this.span(appointment.type as 'O' | 'V' | 'PP', command.slot);
        const request = { ...this.request(known, span), rescheduleOf: appointment.id };
        await move(ports, request, this.now());
        return;
      }
      case 'release':
        await releaseHold(ports, { patientId: known.id, key: null }, this.now());
        return;
      case 'refund': {
        const refunded = (await this.appointments(known.id))[command.appointment];
        if (refunded === undefined || refunded.paidCents === 0) return;
        const [paid] = await clinic.database.db
          .select({ id: payment.id })
          .from(payment)
          .where(and(eq(payment.appointmentId, refunded.id), eq(payment.state, 'captured')));
        if (paid === undefined) return;
        const who = { actor: 'staff:manager', now: this.now() };
        const given = await refundFee(ports, paid.id, 'goodwill', who);
        if (given.kind === 'givenBack') known.returned += refunded.paidCents;
        return;
      }
      case 'takeBack': {
        const taken = (await this.appointments(known.id))[command.appointment];
        if (taken === undefined) return;
        known.returned += taken.paidCents;
        await clinic.database.inTransaction(async (tx) => {
          const now = this.now();
          await tx
            .update(appointment)
            .set({ state: 'cancelled', changedAt: now })
            .where(eq(appointment.id, taken.id));
          await tx.delete(appointmentStep).where(eq(appointmentStep.appointmentId, taken.id));
        });
      }
    }
  }
}

const ended = { stories: 0, appointments: 0, kept: 0, refunded: 0 };

// Shows: S-2
test.each(Array.from({ length: CLINICS }, (_, at) => at + 1))(
  'book, charge, 3-D Secure, cancel, reschedule, refund and expire, in any order, keep money and appointments together (%i)',
  async (at) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(commands, { minLength: COMMANDS, maxLength: COMMANDS }),
        async (story) => {
          clinic.clock.set(NOW);
          const ids: PatientId[] = [];
          for (let n = 0; n < PATIENTS; n += 1) ids.push(await clinic.aPayer());
          const world = new World(ids);
          for (const [n, command] of story.entries()) {
            await world.run(command);
            if (n % LOOK_EVERY === 0) expect(await clinic.violations()).toEqual([]);
          }
          await clinic.sweep();
          expect(await clinic.violations()).toEqual([]);
          for (const known of world.known) {
            const ends = await clinic.ends(known.id);
            const appointments = await world.appointments(known.id);
            const paid = appointments.reduce((sum, { paidCents }) => sum + paidCents, 0);
            const { captured, kept, refunded } = await clinic.moneyOf(known.id);
            expect({ ends, captured, kept, refunded }).toEqual({
              ends: ends.filter((end) => RESTS.includes(end)),
              captured: paid,
              kept: known.kept,
              refunded: known.returned,
            });
          }
        },
      ),
      // Each clinic has stories of its own.
      { numRuns: RUNS, seed: testSeed() + at },
    );
    const { differences } = await reconcile(clinic.ports(), NOW - 86_400);
    expect(differences).toEqual([]);
    const sums = await clinic.money();
    ended.stories += RUNS;
    for (const end of ['appointments', 'kept', 'refunded'] as const) ended[end] += sums[end];
  },
);

test('those stories ended in every way', () => {
  process.stdout.write(`model: stories of ${COMMANDS} commands, ${JSON.stringify(ended)}\n`);
  expect(ended.stories).toBe(CLINICS * RUNS);
  expect(Math.min(ended.appointments, ended.kept, ended.refunded)).toBeGreaterThan(5);
});

const RESTS = [
  'booked refunded succeeded',
  'booked captured succeeded',
  'cancelled kept succeeded',
  'cancelled refunded succeeded',
  'released cancelled canceled',
  'released cancelled none',
];
