import { LIVE_STATES } from '@clinic/domain';
import type { EpochSeconds, PaymentAlarm, PaymentState } from '@clinic/domain';
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';

import { type Db, type Tx, part } from '../../database/db.ts';
import { appointment, patient } from '../../schema.ts';
import { gatewayEvent, payment } from './schema.ts';
import type { PatientId } from '../../security/sessions.store.ts';

/** A fee that a patient pays for an appointment, as the database knows it. */
export interface Payment {
  readonly id: string;
  readonly patientId: PatientId;
  readonly appointmentId: string;
  readonly amountCents: number;
  readonly state: PaymentState;
  readonly reference: string;
  readonly intentId: string | null;
  readonly paymentMethod: string;
  readonly declineCode: string | null;
  readonly declineMessage: string | null;
  readonly confirmRound: number;
  readonly captureRound: number;
  readonly cancelRound: number;
  readonly refundRound: number;
  readonly tries: number;
  readonly createCalledAt: EpochSeconds | null;
  readonly version: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: EpochSeconds | null;
  readonly dueAt: EpochSeconds | null;
  readonly alarm: PaymentAlarm | null;
  readonly givenUpByPatient: boolean;
  readonly createdAt: EpochSeconds;
  readonly changedAt: EpochSeconds;
}

export type NewPayment = Pick<
  Payment,
  'id' | 'patientId' | 'appointmentId' | 'amountCents' | 'reference' | 'paymentMethod'
> & { readonly leaseOwner: string };

/** What may change of a payment. */
export type PaymentChange = Partial<
  Pick<
    Payment,
    | 'state'
    | 'intentId'
    | 'paymentMethod'
    | 'declineCode'
    | 'declineMessage'
    | 'confirmRound'
    | 'captureRound'
    | 'cancelRound'
    | 'refundRound'
    | 'tries'
    | 'createCalledAt'
    | 'dueAt'
    | 'alarm'
  >
>;

/** Whoever works on a payment does so for at most this long before others may. */
export const LEASE_SECONDS = 60;

const asPayment = (row: typeof payment.$inferSelect): Payment => row as unknown as Payment;
const first = (rows: (typeof payment.$inferSelect)[]): Payment | null =>
  rows[0] ? asPayment(rows[0]) : null;
const idle = (now: EpochSeconds) => or(isNull(payment.leaseUntil), lte(payment.leaseUntil, now));

/** A charge as the patient's browser sends it, by its stored key. */
export interface SentCharge {
  readonly patientId: PatientId;
  readonly requestKey: string;
  readonly paymentMethod: string;
}

/** Payments that an operator must look at: nothing mends them by itself. The newest first. */
export async function paymentAlarms(
  db: Db,
  most: number,
): Promise<readonly { readonly id: string; readonly alarm: string }[]> {
  return db
    .select({ id: payment.id, alarm: sql<string>`${payment.alarm}` })
    .from(payment)
    .where(isNotNull(payment.alarm))
    .orderBy(desc(payment.changedAt))
    .limit(most);
}

/** Ended appointments are looked for as far back as this: the hourly reconcile finds older ones. */
const ENDED_WITHIN = 7_200;

/** The only place with SQL about payments, apart from what moves with an appointment. */
export const payments = {
  /** Begins a payment under a lease; a second live payment of the patient is a conflict (I5). */
  async insert(tx: Tx, begun: NewPayment, now: EpochSeconds): Promise<Payment> {
    const rows = await tx
      .insert(payment)
      .values({
        ...begun,
        state: 'created',
        createCalledAt: now,
        leaseUntil: now + LEASE_SECONDS,
        dueAt: now + LEASE_SECONDS,
        createdAt: now,
        changedAt: now,
      })
      .returning();
    return asPayment(rows[0] as typeof payment.$inferSelect);
  },

  /** Locks it and reads it. */
  lock: async (tx: Tx, id: string): Promise<Payment | null> =>
    first(await tx.select().from(payment).where(eq(payment.id, id)).for('update')),

  /** The patient's payment that may still take money, locked. */
  lockLive: async (tx: Tx, patientId: PatientId): Promise<Payment | null> =>
    first(
      await tx
        .select()
        .from(payment)
        .where(and(eq(payment.patientId, patientId), inArray(payment.state, [...LIVE_STATES])))
        .for('update'),
    ),

  async change(
    tx: Tx,
    before: Payment,
    change: PaymentChange,
    now: EpochSeconds,
  ): Promise<Payment> {
    const rows = await tx
      .update(payment)
      .set({ ...change, version: before.version + 1, changedAt: now })
      .where(and(eq(payment.id, before.id), eq(payment.version, before.version)))
      .returning();
    const after = first(rows);
    if (after === null) throw new Error('A payment changed under its lock');
    return after;
  },

  /** Takes the payment for oneself; null while somebody else has it. */
  lease: async (tx: Tx, id: string, owner: string, now: EpochSeconds): Promise<Payment | null> =>
    first(
      await tx
        .update(payment)
        .set({ leaseOwner: owner, leaseUntil: now + LEASE_SECONDS })
        .where(and(eq(payment.id, id), or(idle(now), eq(payment.leaseOwner, owner))))
        .returning(),
    ),

  async giveBackLease(tx: Tx, id: string, owner: string): Promise<void> {
    await tx
      .update(payment)
      .set({ leaseOwner: null, leaseUntil: null })
      .where(and(eq(payment.id, id), eq(payment.leaseOwner, owner)));
  },

  /** Makes the sweeper look at it as soon as it comes by. */
  async makeDue(tx: Tx, id: string, now: EpochSeconds): Promise<void> {
    await tx.update(payment).set({ dueAt: now }).where(eq(payment.id, id));
  },

  find: async (db: Db, id: string): Promise<Payment | null> =>
    first(await db.select().from(payment).where(eq(payment.id, id))),

  findByIntent: async (db: Db, intent: string): Promise<Payment | null> =>
    first(await db.select().from(payment).where(eq(payment.intentId, intent))),

  findLive: async (db: Db, patientId: PatientId): Promise<Payment | null> =>
    first(
      await db
        .select()
        .from(payment)
        .where(and(eq(payment.patientId, patientId), inArray(payment.state, [...LIVE_STATES]))),
    ),

  /** The payment of an appointment that is paid for. */
  findOfAppointment: async (db: Db, appointmentId: string): Promise<Payment | null> =>
    first(
      await db
        .select()
        .from(payment)
        .where(
          and(
            eq(payment.appointmentId, appointmentId),
            inArray(payment.state, ['capturing', 'captured', 'kept']),
          ),
        ),
    ),

  /** Whether this request came with this card before: asked again, it is no new try. */
  async wasSent(db: Db, { patientId, requestKey, paymentMethod }: SentCharge): Promise<boolean> {
    const rows = await db
      .select({ id: payment.id })
      .from(payment)
      .innerJoin(appointment, eq(appointment.id, payment.appointmentId))
      .where(
        and(
          eq(payment.patientId, patientId),
          eq(payment.paymentMethod, paymentMethod),
          eq(appointment.requestKey, requestKey),
        ),
      )
      .limit(1);
    return rows.length > 0;
  },

  /** What wants to be looked at now and is nobody's: due, or paid for an appointment that ended. */
  async listDue(db: Db, now: EpochSeconds, most: number): Promise<string[]> {
    const due = await db
      .select({ id: payment.id })
      .from(payment)
      .where(and(isNotNull(payment.dueAt), lte(payment.dueAt, now), idle(now)))
      .orderBy(asc(payment.dueAt))
      .limit(most);
    const ended = await db
      .select({ id: payment.id })
      .from(appointment)
      .innerJoin(payment, eq(payment.appointmentId, appointment.id))
      .where(
        and(
          inArray(appointment.state, ['released', 'cancelled']),
          gt(appointment.paidCents, 0),
          gte(appointment.changedAt, now - ENDED_WITHIN),
          inArray(payment.state, ['capturing', 'captured']),
          idle(now),
        ),
      )
      .limit(most);
    return [...new Set([...due, ...ended].map(({ id }) => id))];
  },

  /** Every payment made since then or not at its end, by id from `after` on. */
  async page(db: Db, since: EpochSeconds, after: string | null, size: number): Promise<Payment[]> {
    const rows = await db
      .select()
      .from(payment)
      .where(
        and(
          or(gte(payment.createdAt, since), isNotNull(payment.dueAt)),
          after === null ? undefined : gt(payment.id, sql`${after}::uuid`),
        ),
      )
      .orderBy(asc(payment.id))
      .limit(size);
    return rows.map(asPayment);
  },

  async noteEvent(
    tx: Tx,
    event: { readonly id: string; readonly type: string; readonly intent: string | null },
    now: EpochSeconds,
  ): Promise<boolean> {
    const rows = await tx
      .insert(gatewayEvent)
      .values({ id: event.id, type: event.type, intentId: event.intent, receivedAt: now })
      .onConflictDoNothing()
      .returning({ id: gatewayEvent.id });
    return rows.length > 0;
  },
};

export type PaymentStore = typeof payments;

/** What the e-mail about a refund says. */
export interface Refund {
  readonly to: string;
  readonly amountCents: number;
  readonly reference: string;
}

export async function refundOf(db: Db, paymentId: string): Promise<Refund | null> {
  const [row] = await db
    .select({
      to: patient.email,
      amountCents: payment.amountCents,
      reference: payment.reference,
    })
    .from(payment)
    .innerJoin(patient, eq(patient.id, payment.patientId))
    .where(eq(payment.id, paymentId));
  return row ?? null;
}

/** What a patient is given of their payments in a copy of their data. */
export function ownPayments(db: Db, own: PatientId) {
  const { patientId, reference, appointmentId, amountCents, state, createdAt, changedAt } = payment;
  return db
    .select({ reference, appointmentId, amountCents, state, createdAt, changedAt })
    .from(payment)
    .where(eq(patientId, own))
    .orderBy(createdAt);
}

/** When a payment of the patient `p` of another's statement changed last. */
export const LAST_PAYMENT = part`(select max(changed_at_s) from payment where patient_id = p.id)`;

export const erasePayments = (patientId: string) =>
  part`delete from payment where patient_id = ${patientId}`;

/** What the gateway told may come again for weeks. */
export const spentGatewayEvents = (now: number) =>
  part`delete from gateway_event where received_at_s < ${now - 90 * 86_400}`;
