import { randomUUID } from 'node:crypto';
import { STEP_SECONDS, stepOfTime, toInstant } from '@clinic/domain';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database, Tx } from '../../database/db.ts';
import { appointment, scheduleDay, appointmentStep } from '../../schema.ts';
import { isUuid } from '../../server/ids.ts';
import type {
  BookAnswer,
  BookRequest,
  CancelAnswer,
  Emr,
  EmrAppointmentId,
  WallSpan,
} from './emr.ts';

type Writes = Pick<Emr, 'book' | 'move' | 'cancel' | 'findByKey'>;

/**
 * Bookings that do not come from a patient's appointment: staff's, and those of records without an account.
 * Patients' own never pass here, because their appointment is the booking already.
 */
export function appointmentWrites(database: Database): Writes {
  return {
    book: (request) =>
      database
        .inTransactionOrConflict<BookAnswer>(async (tx) => {
          await lockKey(tx, request.key);
          return (await repeated(tx, request.key)) ?? place(tx, request);
        })
        .then((outcome) => (outcome.kind === 'committed' ? outcome.value : { kind: 'taken' })),

    move: (key, id, to) =>
      database
        .inTransactionOrConflict<BookAnswer>(async (tx, rollBack) => {
          await lockKey(tx, key);
          const known = await repeated(tx, key);
          if (known) return known;
          if (!(await end(tx, id, 'rescheduled', null))) return { kind: 'notOffered' };
          const placed = await place(tx, { ...to, key });
          return placed.kind === 'booked' ? placed : rollBack(placed);
        })
        .then((outcome) => (outcome.kind === 'committed' ? outcome.value : { kind: 'taken' })),

    cancel: (key, id) =>
      database.inTransaction<CancelAnswer>(async (tx) => {
        await lockKey(tx, key);
        if (await endedBy(tx, key)) return { kind: 'cancelled' };
        return { kind: (await end(tx, id, 'cancelled', key)) ? 'cancelled' : 'notFound' };
      }),

    findByKey: (key) =>
      database.inTransaction(async (tx) => {
        const booked = await repeated(tx, key);
        if (booked) return booked;
        return (await endedBy(tx, key)) ? { kind: 'cancelled' } : null;
      }),
  };
}

/** Two calls with one key come one after the other. */
async function lockKey(tx: Tx, key: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}

const keyOfBooking = (key: string) => `records:${key}`;
/** The key that ended an appointment is kept beside the one that booked it. */
const keyOfEnd = (key: string) => `ended:${key}`;

async function repeated(tx: Tx, key: string): Promise<BookAnswer | null> {
  const [row] = await tx
    .select({ id: appointment.id })
    .from(appointment)
    .where(and(eq(appointment.requestKey, keyOfBooking(key)), isNull(appointment.patientId)));
  return row ? { kind: 'alreadyBooked', id: row.id as EmrAppointmentId } : null;
}

async function endedBy(tx: Tx, key: string): Promise<boolean> {
  const rows = await tx
    .select({ id: appointment.id })
    .from(appointment)
    .where(
      and(sql`${keyOfEnd(key)} = any(${appointment.ticklers})`, isNull(appointment.patientId)),
    );
  return rows.length > 0;
}

async function place(tx: Tx, request: BookRequest): Promise<BookAnswer> {
  const span = instantsOf(request);
  if (span === null || !(await isOffered(tx, request))) return { kind: 'notOffered' };
  const id = randomUUID();
  const steps = Array.from({ length: (span.end - span.start) / STEP_SECONDS }, (_, each) => ({
    providerId: request.providerId,
    stepStart: span.start + each * STEP_SECONDS,
    appointmentId: id,
  }));
  await tx.insert(appointmentStep).values(steps);
  await tx.insert(appointment).values({
    id,
    recordId: request.recordId,
    providerId: request.providerId,
    ...span,
    clinicDate: request.date,
    type: request.type,
    state: 'booked',
    requestKey: keyOfBooking(request.key),
    bookingNumber: id.slice(0, 8).toUpperCase(),
    createdAt: span.start,
    changedAt: span.start,
  });
  return { kind: 'booked', id: id as EmrAppointmentId };
}

function instantsOf({ date, start, end }: WallSpan): { start: number; end: number } | null {
  try {
    const from = toInstant(date, start, 'reject');
    const to = from + (stepOfTime(end) - stepOfTime(start)) * STEP_SECONDS;
    return to > from ? { start: from, end: to } : null;
  } catch {
    return null;
  }
}

async function isOffered(tx: Tx, request: BookRequest): Promise<boolean> {
  const [row] = await tx
    .select({ codes: scheduleDay.codes })
    .from(scheduleDay)
    .where(
      and(eq(scheduleDay.clinicDate, request.date), eq(scheduleDay.providerId, request.providerId)),
    );
  const codes = row?.codes.slice(stepOfTime(request.start), stepOfTime(request.end)) ?? '';
  return codes !== '' && !codes.includes('_');
}

async function end(
  tx: Tx,
  id: EmrAppointmentId,
  state: 'cancelled' | 'rescheduled',
  key: string | null,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const ended = await tx
    .update(appointment)
    .set({
      state,
      ...(key === null
        ? {}
        : { ticklers: sql`array_append(${appointment.ticklers}, ${keyOfEnd(key)}::text)` }),
    })
    .where(
      and(
        eq(appointment.id, id),
        isNull(appointment.patientId),
        sql`${appointment.state} in ('booked', 'registered')`,
      ),
    )
    .returning({ id: appointment.id });
  if (ended.length === 0) return false;
  await tx.delete(appointmentStep).where(eq(appointmentStep.appointmentId, id));
  return true;
}
