import { ACTIVE_STATES, UNFINISHED_STATES } from '@clinic/domain';
import type { EpochSeconds } from '@clinic/domain';
import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  max,
  min,
  or,
} from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';

import { type Db, type Tx, hasRows, part } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { GatewayEvent } from './gateway.ts';
import { listDue, wasSent } from './joined.store.ts';
import { gatewayEvent, payment } from './schema.ts';

type Row = typeof payment.$inferSelect;

/** A fee that a patient pays for an appointment, as the database knows it. */
export type Payment = Readonly<Omit<Row, 'patientId'>> & { readonly patientId: PatientId };

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
    | 'captureKeyNumber'
    | 'cancelKeyNumber'
    | 'refundKeyNumber'
    | 'tries'
    | 'createCalledAt'
    | 'dueAt'
    | 'alarm'
    | 'refundReason'
    | 'refundedAt'
  >
>;

/** How long a caller has a payment to itself before others may lease it. */
export const LEASE_SECONDS = 60;

const asPayment = (row: Row): Payment => row as Payment;
const first = ([row]: Row[]): Payment | null => (row ? asPayment(row) : null);
const find = async (db: Db, which: SQL | undefined) =>
  first(await db.select().from(payment).where(which));
const lock = async (tx: Tx, which: SQL | undefined) =>
  first(await tx.select().from(payment).where(which).for('update'));

const isActive = (patientId: PatientId) =>
  and(eq(payment.patientId, patientId), inArray(payment.state, [...ACTIVE_STATES]));
const isIdle = (now: EpochSeconds) => or(isNull(payment.leaseUntil), lte(payment.leaseUntil, now));

/** Payments that an operator must look at: nothing mends them by itself. The newest first. */
export async function paymentAlarms(db: Db, most: number) {
  return db
    .select({ id: payment.id, alarm: payment.alarm })
    .from(payment)
    .where(isNotNull(payment.alarm))
    .orderBy(desc(payment.changedAt))
    .limit(most);
}

/**
 * The number of unfinished payments in each state, with the seconds since the oldest of them changed;
 * and when the last webhook event came, or null.
 */
export async function paymentFigures(db: Db, now: EpochSeconds) {
  const { state, dueAt, changedAt } = payment;
  const open = await db
    .select({ state, payments: count(), oldest: min(changedAt) })
    .from(payment)
    .where(isNotNull(dueAt))
    .groupBy(state);
  const [told] = await db.select({ at: max(gatewayEvent.receivedAt) }).from(gatewayEvent);
  return {
    open: open.map(({ oldest, ...each }) => ({
      ...each,
      oldestSeconds: Math.max(0, now - (oldest ?? now)),
    })),
    toldAt: told?.at ?? null,
  };
}

/** Whether money moved since an instant, and whether any webhook event came. */
export async function webhookStanding(db: Db, since: EpochSeconds) {
  const settled = db
    .select({ id: payment.id })
    .from(payment)
    .where(and(inArray(payment.state, ['captured', 'refunded']), gte(payment.changedAt, since)))
    .limit(1);
  const heard = db
    .select({ id: gatewayEvent.id })
    .from(gatewayEvent)
    .where(gte(gatewayEvent.receivedAt, since))
    .limit(1);
  return { settled: (await settled).length > 0, heard: (await heard).length > 0 };
}

/** Reads and writes payments; the statements that run when an appointment ends are below. */
export const payments = {
  /** Inserts a payment under a lease; a second active payment of the patient is a conflict (invariant I5). */
  async insert(tx: Tx, begun: NewPayment, now: EpochSeconds): Promise<Payment> {
    const lease = now + LEASE_SECONDS;
    const [row] = await tx
      .insert(payment)
      .values({
        ...begun,
        state: 'created',
        createCalledAt: now,
        leaseUntil: lease,
        dueAt: lease,
        createdAt: now,
        changedAt: now,
      })
      .returning();
    return asPayment(row as Row);
  },

  async lock(tx: Tx, id: string): Promise<Payment> {
    const locked = await lock(tx, eq(payment.id, id));
    if (locked === null) throw new Error('A payment is gone');
    return locked;
  },

  /** The patient's payment that may still take money, locked. */
  lockActive: (tx: Tx, patientId: PatientId) => lock(tx, isActive(patientId)),

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

  /** Leases the payment to `owner`; null while another owner has it. */
  lease: async (tx: Tx, id: string, owner: string, now: EpochSeconds): Promise<Payment | null> =>
    first(
      await tx
        .update(payment)
        .set({ leaseOwner: owner, leaseUntil: now + LEASE_SECONDS })
        .where(and(eq(payment.id, id), or(isIdle(now), eq(payment.leaseOwner, owner))))
        .returning(),
    ),

  async releaseLease(tx: Tx, id: string, owner: string): Promise<void> {
    await tx
      .update(payment)
      .set({ leaseOwner: null, leaseUntil: null })
      .where(and(eq(payment.id, id), eq(payment.leaseOwner, owner)));
  },

  /** Makes the payment due: the next run of the sweep advances it. */
  async makeDue(tx: Tx, id: string, now: EpochSeconds): Promise<void> {
    await tx.update(payment).set({ dueAt: now }).where(eq(payment.id, id));
  },

  find: (db: Db, id: string) => find(db, eq(payment.id, id)),
  findByIntent: (db: Db, intent: string) => find(db, eq(payment.intentId, intent)),
  findActive: (db: Db, patientId: PatientId) => find(db, isActive(patientId)),

  /** Whether a payment of the patient for the appointment was cancelled, so that it charged nothing. */
  async wasCancelled(
    db: Db,
    { patientId, appointmentId }: Pick<Payment, 'patientId' | 'appointmentId'>,
  ): Promise<boolean> {
    const own = and(eq(payment.patientId, patientId), eq(payment.appointmentId, appointmentId));
    return (await find(db, and(own, eq(payment.state, 'cancelled')))) !== null;
  },

  wasSent,
  listDue,

  /** Every payment that was begun since an instant or is unfinished. */
  async since(db: Db, since: EpochSeconds): Promise<Payment[]> {
    const unfinished = or(isNotNull(payment.dueAt), inArray(payment.state, [...UNFINISHED_STATES]));
    const which = or(gte(payment.createdAt, since), unfinished);
    const rows = await db.select().from(payment).where(which).orderBy(asc(payment.id));
    return rows.map(asPayment);
  },

  /** Records a webhook event; false when it was recorded before. */
  recordEvent: (tx: Tx, { id, type, intent: intentId }: GatewayEvent, now: EpochSeconds) =>
    hasRows(
      tx
        .insert(gatewayEvent)
        .values({ id, type, intentId, receivedAt: now })
        .onConflictDoNothing()
        .returning({ id: gatewayEvent.id }),
    ),
};

const IS_PAID = part`(state in ('capturing', 'captured', 'kept') and refund_reason is null)`;

/** What is paid now for appointments, for other modules' statements. */
export const RECEIPTS = part`(
  select appointment_id, amount_cents, reference, created_at_s from payment where ${IS_PAID})`;

/**
 * What is paid now for the appointment `c` of the surrounding statement, in cents. While an EMR is asked to
 * confirm the time to which an appointment moves, its payment counts for both.
 */
export const PAID_NOW = part`
  coalesce((select sum(amount_cents)::int from payment
             where appointment_id in (c.id, c.rescheduled_from) and ${IS_PAID}), 0)`;

/**
 * What had been paid for the appointment `c` when it was cancelled, in cents, though it was refunded for
 * that or the bank never paid it; until it is cancelled, what is paid now and what the bank did not pay.
 */
export const EVER_PAID = part`
  coalesce((select amount_cents from payment
             where appointment_id = c.id
               and (${IS_PAID} or state = 'capture_failed'
                    or (c.state = 'cancelled' and refund_reason is null
                        and coalesce(refunded_at_s, changed_at_s) >= c.changed_at_s))
             order by ${IS_PAID} desc, created_at_s desc limit 1), 0)`;

/** Payments as the front desk reads them. */
export const DESK_PAYMENTS = part`(
  select id, patient_id, appointment_id, amount_cents, state, alarm, reference, refund_reason,
         created_at_s, case when state = 'refunded' then coalesce(refunded_at_s, changed_at_s) end as refunded_at_s
    from payment)`;

/** The state of the newest payment for each appointment, for other modules' statements. */
export const PAYMENTS = part`(
  select distinct on (appointment_id) appointment_id, state from payment
   order by appointment_id, created_at_s desc)`;

/** The money follows an appointment that moves, in the statement that ends the old one. */
export const MONEY_MOVED = part`
  update payment set appointment_id = ended.moved_to, version = version + 1, changed_at_s = ended.at_s
    from ended where payment.appointment_id = ended.id`;

/**
 * The patient cancels a paid appointment: the fee is kept, and captured first if it is only authorised.
 * the fee of an appointment that the clinic had moved is given back.
 */
export const MONEY_KEPT = part`
  update payment set given_up_by_patient = true, due_at_s = ended.at_s, version = version + 1,
         changed_at_s = ended.at_s
    from ended join gone on gone.id = ended.id
   where payment.appointment_id = ended.id and payment.state in ('capturing', 'captured')
     and not gone.moved_by_clinic`;

/** The cancellation of `undone.id` is undone at `undone.at_s`: what is paid for it stays, unless it was given back. */
export const MONEY_RESTORED = part`
  update payment set given_up_by_patient = false, due_at_s = undone.at_s, version = version + 1,
         changed_at_s = undone.at_s
    from undone where payment.appointment_id = undone.id and payment.state in ('capturing', 'captured')
     and payment.refund_reason is null
  returning amount_cents`;

/** A patient's payments for the copy of their data. */
export function ownPayments(db: Db, own: PatientId) {
  const { patientId, reference, appointmentId, amountCents, state, createdAt, changedAt } = payment;
  return db
    .select({ reference, appointmentId, amountCents, state, createdAt, changedAt })
    .from(payment)
    .where(eq(patientId, own))
    .orderBy(createdAt);
}

/** When a payment of the patient `p` of the surrounding statement last changed. */
export const LAST_PAYMENT = part`(select max(changed_at_s) from payment where patient_id = p.id)`;

export const erasePayments = (patientId: string) =>
  part`delete from payment where patient_id = ${patientId}`;

/** Deletes old webhook events; kept for 90 days, as the gateway may repeat an event for weeks. */
export const spentGatewayEvents = (now: number) =>
  part`delete from gateway_event where received_at_s < ${now - 90 * 86_400}`;
