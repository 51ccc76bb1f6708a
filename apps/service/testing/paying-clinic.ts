import { and, eq, sql } from 'drizzle-orm';
import { STEP_SECONDS, dayTemplate, toInstant } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';

import { keptReports } from './kept-reports.ts';
import { appointments } from '../src/modules/appointments/index.ts';
import type { HeldPayments } from '../src/modules/appointments/index.ts';
import type { ChargeRequest } from '../src/modules/payments/charge.ts';
import { cancelPayment } from '../src/modules/payments/charge.ts';
import { payments } from '../src/modules/payments/store.ts';
import { type PaymentPorts, sweepPayments } from '../src/modules/payments/advance-payment.ts';
import { expireHolds } from '../src/modules/appointments/holds.ts';
import { type Database, part, sql as named } from '../src/database/db.ts';
import {
  appointment,
  scheduleDay,
  appointmentStep,
  payment,
  practiceIntent,
} from '../src/schema.ts';
import { type KeyMaterial, createKeyring } from '../src/security/keyring.ts';
import type { PatientId } from '../src/security/sessions.store.ts';
import {
  type FaultSwitch,
  type PracticeGateway,
  createPracticeGateway,
} from '@clinic/practice/payments/practice-gateway.ts';
import { randomIds } from '../src/server/ports.ts';
import type { Failpoints } from './failpoints.ts';
import { violations } from './invariants.ts';
import { practiceCard } from './paying.ts';
import { aPatient, aProvider, datesFromToday, typesAndFees } from './rows.ts';
import { type TestApp, testApp } from './test-app.ts';
import { unlimitedRates } from './test-config.ts';
import { emrBook } from '../src/modules/emr/index.ts';

export type PayingPorts = PaymentPorts & { readonly heldPayments: HeldPayments };

/** A clinic whose doctor 101 takes private appointments all day, and everything to pay for them. */
export interface PayingClinic extends TestApp {
  /** As a process would have them; wrapped when failpoints are given. */
  ports(points?: Failpoints): PayingPorts;
  aPayer(): Promise<PatientId>;
  /** A request for a slot that nobody asked for before. */
  aAppointment(patientId: PatientId, card?: string): ChargeRequest;
  /** Sweeps payments and holds as a healthy process does, until nothing moves. */
  sweep(): Promise<void>;
  /** Everything that must be true and is not. */
  violations(): Promise<string[]>;
  /** Appointments of a patient that are paid for. */
  paidAppointments(patientId: PatientId): Promise<string[]>;
  /** What was paid and what was booked, over all patients. */
  money(): Promise<MoneySums>;
  /** One patient's money by what became of it, in cents, as the ledger says. */
  moneyOf(patientId: PatientId): Promise<MoneyOf>;
  /** As the clinic does that takes a slot back. */
  freeSteps(appointmentId: string): Promise<void>;
  /** The same appointment at another price, in all three books. */
  reprice(appointmentId: string, paymentId: string, cents: number): Promise<void>;
  /** What became of a patient: `booked captured captured`, appointment, payment and ledger. */
  ends(patientId: PatientId): Promise<string[]>;
}

export interface PayingClinicToBe {
  readonly faults?: FaultSwitch;
  readonly days?: number;
  /** Of every day of doctor 101. */
  readonly codes?: string;
  /** Shared by processes on one database. */
  readonly keys?: KeyMaterial;
  /** Another process has opened this clinic before. */
  readonly opened?: boolean;
  /** Where the card gateway keeps its books, where that is not the clinic's own database. */
  readonly books?: Database;
}

export interface MoneySums {
  readonly appointments: number;
  readonly kept: number;
  readonly refunded: number;
  readonly mostCapturesPerAppointment: number;
  readonly chargedWithoutAppointment: number;
  readonly appointmentsWithoutMoney: number;
}

export interface MoneyOf {
  readonly captured: number;
  readonly kept: number;
  readonly refunded: number;
}

const moneyOf = (patientId: string) => part`
  select coalesce(sum(ledger.captured_cents) filter (where ledger.refund is null and pay.state <> 'kept'), 0)::int as captured,
         coalesce(sum(ledger.captured_cents) filter (where pay.state = 'kept'), 0)::int as kept,
         coalesce(sum(ledger.captured_cents) filter (where ledger.refund is not null), 0)::int as refunded
    from payment pay
    join practice_intent ledger on ledger.payment = pay.id::text
   where pay.patient_id = ${patientId}`;

/** From the ledger's side: what it says is taken and not given back. */
const MONEY = part`
  with taken as (
    select pay.appointment_id, pay.state, appointment.state as appointment
      from practice_intent ledger
      join payment pay on pay.id::text = ledger.payment
      join appointment on appointment.id = pay.appointment_id
     where ledger.status = 'succeeded' and ledger.refund is null)
  select (select count(*)::int from taken where appointment = 'booked') as "appointments",
         (select count(*)::int from taken where state = 'kept') as "kept",
         (select count(*)::int from practice_intent where refund is not null) as "refunded",
         (select coalesce(max(n), 0)::int from (select count(*) as n from taken group by appointment_id) each) as "mostCapturesPerAppointment",
         (select count(*)::int from taken where appointment <> 'booked' and state <> 'kept') as "chargedWithoutAppointment",
         (select count(*)::int from appointment where state = 'booked' and paid_cents > 0
             and id not in (select appointment_id from taken)) as "appointmentsWithoutMoney"`;

const immediately = () => new Promise((resolve) => setImmediate(resolve));
const ALL_DAY = dayTemplate([{ code: 'V', from: 8 * 12, to: 20 * 12 }]);

export async function payingClinic(
  database: Database,
  { faults, days = 30, codes = ALL_DAY, keys, opened = false, books }: PayingClinicToBe = {},
): Promise<PayingClinic> {
  const clock = { now: () => now() };
  let now = () => NOW;
  const gateway: PracticeGateway = createPracticeGateway({
    database: books ?? database,
    clock,
    ids: randomIds,
    secret: 'practice-webhooks',
    publicUrl: 'http://127.0.0.1:3000',
    ...(faults ? { faults } : {}),
  });
  const bankOrigins = ['http://127.0.0.1:3000'];
  const reports = keptReports();
  const app = await testApp({
    database,
    // A patient of a scenario books more than a person does.
    config: { rates: unlimitedRates() },
    ...(keys ? { keyring: createKeyring(keys) } : {}),
    reports,
    cardPayments: { gateway, bankOrigins },
  });
  now = () => app.clock.now();
  const dates = datesFromToday(days);
  if (!opened) await open(app, dates, codes);
  let asked = 0;
  const { platform } = app;

  const ports = (points?: Failpoints): PayingPorts => {
    const wrap: Failpoints['wrap'] = (name, target) => points?.wrap(name, target) ?? target;
    const audit = wrap('audit', { append: platform.appendAudit });
    const all: PayingPorts = {
      database: wrap('database', database),
      payments: wrap('payments', payments),
      appointments: wrap('appointments', appointments),
      emrBook,
      gateway: wrap('gateway', gateway),
      bankOrigins,
      reports,
      config: platform.config,
      parts: platform.parts,
      emr: platform.emr,
      keyring: platform.keyring,
      appendAudit: (tx, entry) => audit.append(tx, entry),
      outbox: wrap('outbox', platform.outbox),
      clock: app.clock,
      ids: platform.ids,
      // Waiting takes no time, and time passes all the same.
      pause: async () => {
        app.clock.advance(1);
        await immediately();
      },
      log: app.log,
      heldPayments: {
        cancel: (patientId, appointmentId) => cancelPayment(all, patientId, appointmentId),
      },
    };
    return all;
  };

  return {
    ...app,
    gateway,
    ports,
    aPayer: async () => (await aPatient(app, { eligibility: 'E' })).id,
    aAppointment: (patientId, card = practiceCard()) => {
      const day = dates[2 + (Math.floor(asked / 144) % (days - 2))] ?? '';
      const start = toInstant(day, '08:00') + (asked % 144) * STEP_SECONDS;
      asked += 1;
      const slot = { providerId: '101', start, end: start + STEP_SECONDS, type: 'V' as const };
      return {
        patientId,
        slot,
        answers: { reason: 'A cough' },
        requestKey: `sent:${asked}`,
        claimed: { ticklers: [], paymentToken: null },
        amountCents: 20_000,
        paymentMethod: card,
        providerId: '101',
      };
    },
    sweep: async () => {
      // Past leases, unknown outcomes and holds, and a last look at what these left.
      for (const seconds of [130, 130, 1_900, 130, 130]) {
        app.clock.advance(seconds);
        await sweepPayments(ports());
      }
      await expireHolds(ports(), app.clock.now());
    },
    violations: () => violations(database.db, app.clock.now()),
    paidAppointments: async (patientId) => {
      const rows = await database.db
        .select({ id: appointment.id })
        .from(appointment)
        .where(and(eq(appointment.patientId, patientId), eq(appointment.state, 'booked')));
      return rows.map(({ id }) => id);
    },
    money: async () => {
      const [sums] = await named<MoneySums>(database.db)`${MONEY}`;
      if (!sums) throw new Error('No sums');
      return sums;
    },
    moneyOf: async (patientId) => {
      const [sums] = await named<MoneyOf>(database.db)`${moneyOf(patientId)}`;
      if (!sums) throw new Error('No sums');
      return sums;
    },
    freeSteps: async (appointmentId) => {
      await database.inTransaction((tx) =>
        tx.delete(appointmentStep).where(eq(appointmentStep.appointmentId, appointmentId)),
      );
    },
    reprice: (appointmentId, paymentId, cents) =>
      database.inTransaction(async (tx) => {
        await tx
          .update(appointment)
          .set({ paidCents: cents })
          .where(eq(appointment.id, appointmentId));
        await tx.update(payment).set({ amountCents: cents }).where(eq(payment.id, paymentId));
        await tx
          .update(practiceIntent)
          .set({ amountCents: cents, capturedCents: cents })
          .where(eq(practiceIntent.payment, paymentId));
      }),
    ends: async (patientId) => {
      const rows = await database.db
        .select({
          appointment: appointment.state,
          payment: payment.state,
          ledger: practiceIntent.status,
        })
        .from(payment)
        .innerJoin(appointment, eq(appointment.id, payment.appointmentId))
        .leftJoin(practiceIntent, eq(practiceIntent.payment, sql`${payment.id}::text`))
        .where(eq(payment.patientId, patientId))
        .orderBy(payment.createdAt, payment.id);
      return rows.map((row) => `${row.appointment} ${row.payment} ${row.ledger ?? 'none'}`);
    },
  };
}

async function open(app: TestApp, dates: readonly string[], codes: string): Promise<void> {
  await typesAndFees(app);
  await aProvider(app);
  await app.database.inTransaction((tx) =>
    tx
      .insert(scheduleDay)
      .values(dates.map((clinicDate) => ({ providerId: '101', clinicDate, codes }))),
  );
}
