import { randomUUID } from 'node:crypto';

import { STEP_SECONDS, dayRuler, stepAt, stepOfTime, timeOfStep, toInstant } from '@clinic/domain';
import { and, between, eq, inArray, isNull, sql } from 'drizzle-orm';

import type { Database, Tx } from '../../database/db.ts';
import { failureOf } from '../../database/sqlstate.ts';
import { appointment, appointmentStep } from '../../schema.ts';
import type { Keyring } from '../../security/keyring.ts';
import { sealedCard } from '../../security/sealed-card.ts';
import { isUuid } from '../../server/ids.ts';
import { EmrOffline } from './emr.ts';
import type {
  BookAnswer,
  BookRequest,
  BusySpan,
  CancelAnswer,
  Emr,
  EmrAppointmentId,
  PatientRecord,
  ProviderId,
  RecordId,
  WallSpan,
} from './emr.ts';
import { patientRecord, recordsProvider, scheduleDay } from './schema.ts';

/** The built-in records: our own tables. An appointment that stands is the booking. */
export function builtInEmr(database: Database, keyring: Keyring): Emr {
  return {
    keepsOurBook: true,
    ...namingOutages(scheduleReads(database)),
    ...namingOutages(records(database, keyring)),
    ...namingOutages(appointmentWrites(database)),
    async status() {
      try {
        await scheduleReads(database).listProviders();
        return 'online';
      } catch (error) {
        if (failureOf(error)?.kind === 'unavailable') return 'offline';
        throw error;
      }
    },
    // The database is closed by whoever opened it.
    close: async () => undefined,
  };
}

type Operations = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** A database that does not answer is the port's `RecordsOffline`. */
function namingOutages<Ops>(operations: Ops): Ops {
  const named = Object.entries(operations as Operations).map(([name, operation]) => [
    name,
    (...args: never[]) =>
      operation(...args).catch((error: unknown) => {
        if (failureOf(error)?.kind !== 'unavailable') throw error;
        throw new EmrOffline('The database does not answer', { cause: error });
      }),
  ]);
  return Object.fromEntries(named) as Ops;
}

type Reads = Pick<Emr, 'listProviders' | 'getProvider' | 'schedule' | 'busy'>;

function scheduleReads(database: Database): Reads {
  return {
    async listProviders() {
      const rows = await database.db.select().from(recordsProvider).orderBy(recordsProvider.id);
      return rows.map((row) => ({ ...row, id: row.id as ProviderId }));
    },
    async getProvider(id) {
      const [row] = await database.db
        .select()
        .from(recordsProvider)
        .where(eq(recordsProvider.id, id));
      return row ? { ...row, id } : null;
    },
    async schedule(providers, from, to) {
      const rows = await database.db
        .select()
        .from(scheduleDay)
        .where(
          and(
            between(scheduleDay.clinicDate, from, to),
            providers === null ? undefined : inArray(scheduleDay.providerId, [...providers]),
          ),
        )
        .orderBy(scheduleDay.clinicDate, scheduleDay.providerId);
      return rows.map(({ providerId, clinicDate, codes }) => ({
        providerId: providerId as ProviderId,
        date: clinicDate,
        codes,
      }));
    },
    async busy(providers, from, to) {
      const rows = await database.db
        .select({
          providerId: appointment.providerId,
          date: appointment.clinicDate,
          start: appointment.start,
          end: appointment.end,
        })
        .from(appointment)
        .where(
          and(
            between(appointment.clinicDate, from, to),
            sql`${appointment.state} in ('booked', 'registered')`,
            providers === null ? undefined : inArray(appointment.providerId, [...providers]),
          ),
        )
        .orderBy(appointment.start, appointment.providerId);
      return rows.map((row) => ({ providerId: row.providerId as ProviderId, ...wallSpan(row) }));
    },
  };
}

/** The wall clock of an appointment, whose end is the end of its last step. */
function wallSpan(appointment: {
  date: string;
  start: number;
  end: number;
}): Omit<BusySpan, 'providerId'> {
  const ruler = dayRuler(appointment.date);
  const first = stepAt(ruler, appointment.start) ?? 0;
  const last = stepAt(ruler, appointment.end - 1) ?? first;
  const end = last + 1 === stepOfTime('24:00') ? '24:00' : timeOfStep(last + 1);
  return { date: appointment.date, start: timeOfStep(first), end };
}

type PatientRecords = Pick<Emr, 'getRecord' | 'findRecord' | 'createRecord' | 'mrpStatus'>;

/** What a card number is found by (S-13); the province stands beside it in its own column. */
export const CARD_INDEX = 'card';

const columns = {
  id: patientRecord.id,
  firstName: patientRecord.firstName,
  lastName: patientRecord.lastName,
  birthDate: patientRecord.birthDate,
  providerId: patientRecord.providerId,
};

function records(database: Database, keyring: Keyring): PatientRecords {
  return {
    async getRecord(id) {
      const [row] = await database.db
        .select(columns)
        .from(patientRecord)
        .where(eq(patientRecord.id, id));
      return row ? recordOf(row) : null;
    },
    async findRecord({ cardProvince, cardNumber, birthDate }) {
      const rows = await database.db
        .select(columns)
        .from(patientRecord)
        .where(
          and(
            inArray(patientRecord.cardIndex, keyring.blindIndexes(CARD_INDEX, cardNumber)),
            eq(patientRecord.cardProvince, cardProvince),
            eq(patientRecord.birthDate, birthDate),
          ),
        )
        .limit(2);
      const [first, second] = rows;
      if (!first) return { kind: 'none' };
      return second ? { kind: 'many' } : { kind: 'one', record: recordOf(first) };
    },
    async createRecord({ cardNumber, ...row }) {
      const card = sealedCard(keyring, row.id, cardNumber).record;
      return database.inTransaction(async (tx) => {
        const [created] = await tx
          .insert(patientRecord)
          .values({ ...row, ...card })
          .onConflictDoNothing({ target: patientRecord.id })
          .returning(columns);
        if (created) return { kind: 'created', record: recordOf(created) };
        const [known] = await tx
          .select(columns)
          .from(patientRecord)
          .where(eq(patientRecord.id, row.id));
        if (!known) throw new Error('A chart that was there is gone');
        return { kind: 'alreadyThere', record: recordOf(known) };
      });
    },
    async mrpStatus(id) {
      const [row] = await database.db
        .select({ providerId: patientRecord.providerId, status: recordsProvider.status })
        .from(patientRecord)
        .leftJoin(recordsProvider, eq(recordsProvider.id, patientRecord.providerId))
        .where(eq(patientRecord.id, id));
      return { providerId: row?.providerId ?? null, active: row?.status === '1' };
    },
  };
}

const recordOf = (row: Omit<PatientRecord, 'id'> & { readonly id: string }): PatientRecord => ({
  ...row,
  id: row.id as RecordId,
});

type Writes = Pick<Emr, 'book' | 'move' | 'cancel' | 'findByKey'>;

/**
 * Bookings that do not come from a patient's appointment: staff's, and those of records without an account.
 * Patients' own never pass here, because their appointment is the booking already.
 */
function appointmentWrites(database: Database): Writes {
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
