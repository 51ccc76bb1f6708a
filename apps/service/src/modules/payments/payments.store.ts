import { LIVE_STATES } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';

import type { Db, Tx } from '../../database/db.ts';
import { appointment } from '../../database/schema.ts';
import { gatewayEvent, payment } from '../../database/schema-payments.ts';
import type { PatientId } from '../../security/sessions.ts';
import { LEASE_SECONDS } from './payment.ts';
import type { NewPayment, Payment, PaymentChange } from './payment.ts';

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

/** The only place with SQL about payments, apart from what moves with an appointment. */
export interface PaymentStore {
  /** Begins a payment under a lease; a second live payment of the patient is a conflict (I5). */
  insert(tx: Tx, begun: NewPayment, now: EpochSeconds): Promise<Payment>;
  /** Locks it and reads it. */
  lock(tx: Tx, id: string): Promise<Payment | null>;
  /** The patient's payment that may still take money, locked. */
  lockLive(tx: Tx, patientId: PatientId): Promise<Payment | null>;
  change(tx: Tx, before: Payment, change: PaymentChange, now: EpochSeconds): Promise<Payment>;
  /** Takes the payment for oneself; null while somebody else has it. */
  lease(tx: Tx, id: string, owner: string, now: EpochSeconds): Promise<Payment | null>;
  giveBackLease(tx: Tx, id: string, owner: string): Promise<void>;
  /** Makes the sweeper look at it as soon as it comes by. */
  makeDue(tx: Tx, id: string, now: EpochSeconds): Promise<void>;
  find(db: Db, id: string): Promise<Payment | null>;
  findByIntent(db: Db, intent: string): Promise<Payment | null>;
  findLive(db: Db, patientId: PatientId): Promise<Payment | null>;
  /** The payment of an appointment that is paid for. */
  findOfAppointment(db: Db, appointmentId: string): Promise<Payment | null>;
  /** Whether this request came with this card before: asked again, it is no new try. */
  wasSent(db: Db, request: SentCharge): Promise<boolean>;
  /** What wants to be looked at now and is nobody's: due, or paid for an appointment that ended. */
  listDue(db: Db, now: EpochSeconds, most: number): Promise<string[]>;
  /** Every payment made since then or not at its end, by id from `after` on. */
  page(db: Db, since: EpochSeconds, after: string | null, size: number): Promise<Payment[]>;
  /** True the first time that this event comes. */
  noteEvent(
    tx: Tx,
    event: { id: string; type: string; intent: string | null },
    now: EpochSeconds,
  ): Promise<boolean>;
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

export const payments: PaymentStore = {
  async insert(tx, begun, now) {
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

  lock: async (tx, id) =>
    first(await tx.select().from(payment).where(eq(payment.id, id)).for('update')),

  lockLive: async (tx, patientId) =>
    first(
      await tx
        .select()
        .from(payment)
        .where(and(eq(payment.patientId, patientId), inArray(payment.state, [...LIVE_STATES])))
        .for('update'),
    ),

  async change(tx, before, change, now) {
    const rows = await tx
      .update(payment)
      .set({ ...change, version: before.version + 1, changedAt: now })
      .where(and(eq(payment.id, before.id), eq(payment.version, before.version)))
      .returning();
    const after = first(rows);
    if (after === null) throw new Error('A payment changed under its lock');
    return after;
  },

  lease: async (tx, id, owner, now) =>
    first(
      await tx
        .update(payment)
        .set({ leaseOwner: owner, leaseUntil: now + LEASE_SECONDS })
        .where(and(eq(payment.id, id), or(idle(now), eq(payment.leaseOwner, owner))))
        .returning(),
    ),

  async giveBackLease(tx, id, owner) {
    await tx
      .update(payment)
      .set({ leaseOwner: null, leaseUntil: null })
      .where(and(eq(payment.id, id), eq(payment.leaseOwner, owner)));
  },

  async makeDue(tx, id, now) {
    await tx.update(payment).set({ dueAt: now }).where(eq(payment.id, id));
  },

  find: async (db, id) => first(await db.select().from(payment).where(eq(payment.id, id))),

  findByIntent: async (db, intent) =>
    first(await db.select().from(payment).where(eq(payment.intentId, intent))),

  findLive: async (db, patientId) =>
    first(
      await db
        .select()
        .from(payment)
        .where(and(eq(payment.patientId, patientId), inArray(payment.state, [...LIVE_STATES]))),
    ),

  findOfAppointment: async (db, appointmentId) =>
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

  async wasSent(db, { patientId, requestKey, paymentMethod }) {
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

  async listDue(db, now, most) {
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

  async page(db, since, after, size) {
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

  async noteEvent(tx, event, now) {
    const rows = await tx
      .insert(gatewayEvent)
      .values({ id: event.id, type: event.type, intentId: event.intent, receivedAt: now })
      .onConflictDoNothing()
      .returning({ id: gatewayEvent.id });
    return rows.length > 0;
  },
};
