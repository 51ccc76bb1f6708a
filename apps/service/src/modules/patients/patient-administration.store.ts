import { isAppointmentTypeCode, isEligibility, normaliseEmail } from '@clinic/domain';
import { and, asc, count, eq, gt, inArray, or, sql } from 'drizzle-orm';

import type { Platform } from '../../platform.ts';
import type { Who } from '../../security/audit.ts';
import type { Db, Tx } from '../../database/db.ts';
import { appointment, patientRecord, recordsProvider } from '../../schema.ts';
import { patient } from './schema.ts';
import { isUuid } from '../../server/ids.ts';
import { appointments, releaseHoldIn } from '../appointments/index.ts';
import type { PatientId } from '../../security/sessions.ts';

export type PatientAdministrationPorts = Pick<
  Platform,
  'database' | 'appendAudit' | 'sessions' | 'config'
>;

const columns = {
  id: patient.id,
  firstName: patient.firstName,
  lastName: patient.lastName,
  email: patient.email,
  recordId: patient.recordId,
  eligibility: patient.eligibility,
  blocked: patient.blocked,
  bookingBlocked: patient.bookingBlocked,
  blockedReason: patient.blockedReason,
  closedAt: patient.closedAt,
  disabledTypes: patient.disabledTypes,
  visibility: patient.visibility,
};

export interface FoundPatient {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly recordId: string;
  readonly eligibility: string;
  readonly blocked: boolean;
  readonly bookingBlocked: boolean;
  readonly blockedReason: string | null;
  readonly closedAt: number | null;
  readonly disabledTypes: readonly string[];
  /** Without 'appointment' nobody gets further than to sign out. */
  readonly visibility: readonly string[];
}

export interface PatientSearch {
  /** Part of a name or of an e-mail address. */
  readonly text: string | null;
  readonly blocked: boolean;
  readonly limit: number;
}

/** The patients of the clinic by name; the trail says that they were listed. */
export async function listPatients(
  { database, appendAudit }: PatientAdministrationPorts,
  { text, blocked, limit }: PatientSearch,
  { actor, now }: Who,
): Promise<FoundPatient[]> {
  return database.inTransaction(async (tx) => {
    await appendAudit(tx, { actor, action: 'patients listed', subject: 'patients:all', at: now });
    const sought = text === null ? null : text.toLowerCase();
    return tx
      .select(columns)
      .from(patient)
      .where(
        and(
          eq(patient.role, 'patient'),
          blocked ? or(eq(patient.blocked, true), eq(patient.bookingBlocked, true)) : undefined,
          sought === null
            ? undefined
            : sql`position(${sought} in lower(${patient.firstName} || ' ' || ${patient.lastName} || ' ' || ${patient.email})) > 0`,
        ),
      )
      .orderBy(asc(patient.lastName), asc(patient.firstName), asc(patient.id))
      .limit(limit);
  });
}

/** By id, by record number or by e-mail address. */
export async function findPatient(db: Db, named: string): Promise<FoundPatient | null> {
  const rows = await db
    .select(columns)
    .from(patient)
    .where(
      and(
        eq(patient.role, 'patient'),
        isUuid(named)
          ? eq(patient.id, named)
          : or(eq(patient.email, normaliseEmail(named)), eq(patient.recordId, named)),
      ),
    )
    // Of two accounts of one record only one is open.
    .orderBy(sql`${patient.closedAt} nulls first`)
    .limit(1);
  return rows[0] ?? null;
}

/**
 * refuses sign-in and ends every session, or refuses booking alone. The reason is the
 * clinic's; the patient is never shown it, and it stands in no trail. A held slot is given back.
 */
export async function blockPatient(
  { database, appendAudit, sessions }: PatientAdministrationPorts,
  patientId: string,
  { reason, bookingOnly }: { readonly reason: string; readonly bookingOnly: boolean },
  { actor, now }: Who,
): Promise<void> {
  await database.inTransaction(async (tx) => {
    await tx
      .update(patient)
      .set({
        blockedReason: reason,
        ...(bookingOnly ? { bookingBlocked: true } : { blocked: true }),
      })
      .where(eq(patient.id, patientId));
    await releaseHoldIn({ appointments, appendAudit }, tx, patientId as PatientId, now);
    if (!bookingOnly) await sessions.endAll(tx, patientId, now);
    const action = bookingOnly ? 'booking blocked' : 'account blocked';
    await appendAudit(tx, { actor, action, subject: `patient:${patientId}`, at: now });
  });
}

/** A closed account stays closed. */
export async function unblockPatient(
  { database, appendAudit }: PatientAdministrationPorts,
  { id, closedAt }: FoundPatient,
  { actor, now }: Who,
): Promise<void> {
  await database.inTransaction(async (tx) => {
    await tx
      .update(patient)
      .set({ blocked: closedAt !== null, bookingBlocked: false, blockedReason: null })
      .where(eq(patient.id, id));
    await appendAudit(tx, {
      actor,
      action: 'account unblocked',
      subject: `patient:${id}`,
      at: now,
    });
  });
}

export interface AccountToClose {
  /** Booked for later; closing leaves them standing. */
  readonly appointments: number;
  /** Whether a time is held, which closing gives back. */
  readonly holds: boolean;
}

/** What closing an account would meet; nothing is changed. */
export async function accountToClose(
  db: Db,
  patientId: string,
  now: number,
): Promise<AccountToClose> {
  const held = await db
    .select({ id: appointment.id })
    .from(appointment)
    .where(and(eq(appointment.patientId, patientId), eq(appointment.state, 'held')));
  return { appointments: await standingAppointments(db, patientId, now), holds: held.length > 0 };
}

/** S-15: closed, never erased before its time; gives how many appointments still stand. */
export async function closeAccount(
  { database, appendAudit, sessions }: PatientAdministrationPorts,
  patientId: string,
  { actor, now }: Who,
): Promise<number> {
  return database.inTransaction(async (tx) => {
    await tx.update(patient).set({ closedAt: now, blocked: true }).where(eq(patient.id, patientId));
    await releaseHoldIn({ appointments, appendAudit }, tx, patientId as PatientId, now);
    await sessions.endAll(tx, patientId, now);
    const subject = `patient:${patientId}`;
    await appendAudit(tx, { actor, action: 'account closed', subject, at: now });
    return standingAppointments(tx, patientId, now);
  });
}

async function standingAppointments(db: Db | Tx, patientId: string, now: number): Promise<number> {
  const [row] = await db
    .select({ appointments: count() })
    .from(appointment)
    .where(
      and(
        eq(appointment.patientId, patientId),
        inArray(appointment.state, ['booked', 'registered']),
        gt(appointment.start, now),
      ),
    );
  return row?.appointments ?? 0;
}

export interface PatientChange {
  readonly eligibility?: string;
  /** The id of the provider who is responsible; null for none. */
  readonly mrp?: string | null;
  /** Types that this patient is not offered. */
  readonly withoutTypes?: readonly string[];
}

/** Why a change cannot be, as a sentence; null once it was made. */
export async function changePatient(
  { database, appendAudit, config }: PatientAdministrationPorts,
  { id, recordId }: FoundPatient,
  change: PatientChange,
  { actor, now }: Who,
): Promise<string | null> {
  const { eligibility, mrp, withoutTypes } = change;
  if (eligibility !== undefined && !isEligibility(eligibility))
    return `'${eligibility}' is no eligibility; it is one of E, NR, R, NE.`;
  const wrongType = withoutTypes?.find((code) => !isAppointmentTypeCode(code));
  if (wrongType !== undefined) return `'${wrongType}' is no appointment type.`;
  return database.inTransaction<string | null>(async (tx) => {
    if (mrp && !Object.values(config.familyDoctorIds).includes(mrp)) {
      const known = await tx.select().from(recordsProvider).where(eq(recordsProvider.id, mrp));
      if (known.length === 0) return `No provider has the id '${mrp}'.`;
    }
    if (mrp !== undefined) {
      const records = await tx
        .update(patientRecord)
        .set({ providerId: mrp })
        .where(eq(patientRecord.id, recordId))
        .returning({ id: patientRecord.id });
      if (records.length === 0) return 'The patient has no chart in the clinic’s own records.';
    }
    if (eligibility !== undefined)
      await tx.update(patient).set({ eligibility }).where(eq(patient.id, id));
    if (withoutTypes !== undefined)
      await tx
        .update(patient)
        .set({ disabledTypes: [...withoutTypes] })
        .where(eq(patient.id, id));
    await appendAudit(tx, {
      actor,
      action: 'patient changed by the clinic',
      subject: `patient:${id}`,
      details: { ...change },
      at: now,
    });
    return null;
  });
}
