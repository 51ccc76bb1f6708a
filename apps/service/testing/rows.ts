import { addDays, stepOfTime, dayTemplate, toClinic } from '@clinic/domain';
import type { ClinicDate } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import type { Database } from '../src/database/db.ts';
import type { Account } from '../src/modules/accounts/store.ts';
import { type Keyring, sealedCard } from '../src/security/keyring.ts';
import { hashPassword } from '../src/security/passwords.ts';
import {
  appointmentType,
  feePolicy,
  patient,
  providerPolicy,
  patientRecord,
  provider,
  scheduleDay,
  slotCode,
} from '../src/schema.ts';
import { feeRows, typeRows } from '@clinic/practice/clinic-rows.ts';
import { validBcNumber } from '@clinic/practice/accounts.ts';

export type PatientRow = Account;

/** The builders' patients all know it. */
export const PASSWORD = 'Practice-2026';
const CHEAP = { memory: 8, passes: 1 };
let passwordHash: Promise<string> | undefined;
let born = 0;

export interface PatientOptions extends Partial<typeof patient.$inferInsert> {
  readonly cardNumber?: string;
  /** The most responsible provider of the record; undefined is 101, null none, false no record. */
  readonly primaryDoctor?: string | null | false;
}

export interface RowParts {
  readonly database: Database;
  readonly keyring: Keyring;
}

/** A covered patient of the clinic, of whom everything but what is named is ordinary. */
export async function aPatient(
  { database, keyring }: RowParts,
  { cardNumber, primaryDoctor = '101', ...over }: PatientOptions = {},
): Promise<PatientRow> {
  const id = over.id ?? crypto.randomUUID();
  const number = ++born;
  const cardProvince = over.cardProvince ?? 'BC';
  const card = sealedCard(keyring, id, cardNumber ?? validBcNumber(number));
  const row: typeof patient.$inferInsert = {
    id,
    email: `patient${number}@test.example`,
    passwordHash: await (passwordHash ??= hashPassword(PASSWORD, CHEAP)),
    recordId: `T${id.slice(0, 8)}`,
    firstName: 'Pat',
    lastName: `Test${number}`,
    sex: 'Other',
    birthDate: '1984-05-17',
    address: '1 Main Street',
    city: 'Vancouver',
    province: 'BC',
    postal: 'V5K 0A1',
    country: 'Canada',
    phone: '6045550100',
    eligibility: 'E',
    createdAt: NOW - 86_400,
    cardProvince,
    ...card.patient,
    ...over,
  };
  const [inserted] = await database.inTransaction(async (tx) => {
    if (primaryDoctor !== false)
      await tx.insert(patientRecord).values({
        id: row.recordId,
        firstName: row.firstName,
        lastName: row.lastName,
        birthDate: row.birthDate,
        providerId: primaryDoctor,
        cardProvince,
        ...sealedCard(keyring, row.recordId, cardNumber ?? validBcNumber(number)).record,
      });
    return tx.insert(patient).values(row).returning();
  });
  if (!inserted) throw new Error('The patient was not inserted');
  return inserted as PatientRow;
}

export interface ProviderOptions extends Partial<typeof providerPolicy.$inferInsert> {
  readonly id?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly status?: string;
}

/** A doctor who takes everybody, with a policy row. */
export async function aProvider(
  { database }: Pick<RowParts, 'database'>,
  {
    id = '101',
    firstName = 'Amelia',
    lastName = 'Stone',
    status = '1',
    ...policy
  }: ProviderOptions = {},
): Promise<void> {
  await database.inTransaction(async (tx) => {
    await tx.insert(provider).values({ id, firstName, lastName, status });
    await tx.insert(providerPolicy).values({ ...policy, providerId: id });
  });
}

/** Spans of wall time by slot code: `{ O: ['08:00-09:00'] }`. */
export type DayPlan = Readonly<Record<string, readonly string[]>>;

/** Expanded days of one provider, the same plan on each. */
export async function scheduleFor(
  { database }: Pick<RowParts, 'database'>,
  providerId: string,
  dates: readonly ClinicDate[],
  plan: DayPlan,
): Promise<void> {
  const spans = Object.entries(plan).flatMap(([code, times]) =>
    times.map((time) => {
      const [from = '', to = ''] = time.split('-');
      return { code, from: stepOfTime(from), to: stepOfTime(to) };
    }),
  );
  const codes = dayTemplate(spans);
  await database.inTransaction((tx) =>
    tx.insert(scheduleDay).values(dates.map((clinicDate) => ({ providerId, clinicDate, codes }))),
  );
}

/** The clinic dates from today on, by the builders' now. */
export const datesFromToday = (count: number, now = NOW): ClinicDate[] =>
  Array.from({ length: count }, (_, ahead) => addDays(toClinic(now).date, ahead));

/** The practice clinic's types and fees, valid since long ago. */
export async function typesAndFees({ database }: Pick<RowParts, 'database'>): Promise<void> {
  await database.inTransaction(async (tx) => {
    await tx.insert(appointmentType).values(typeRows());
    await tx.insert(feePolicy).values(feeRows('2020-01-01'));
    // What its codes serve a person has said.
    await tx.update(slotCode).set({ bound: true });
  });
}

/** Types, fees, doctor 101 with O and P slots for 10 days: enough for an appointment. */
export async function aClinic(parts: Pick<RowParts, 'database'>, now = NOW): Promise<void> {
  await typesAndFees(parts);
  await aProvider(parts);
  await scheduleFor(parts, '101', datesFromToday(10, now), {
    O: ['08:00-09:00', '11:00-12:00'],
    P: ['09:00-10:00'],
    V: ['13:00-14:00'],
  });
}
