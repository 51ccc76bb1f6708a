import { randomUUID } from 'node:crypto';

import { SPECIFIED_TYPES, addDays, dayTemplate, toClinic } from '@clinic/domain';
import type { ClinicDate, Eligibility } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';

import type { Database } from '../src/database/db.ts';
import {
  appointmentType,
  feePolicy,
  patient,
  payment,
  providerPolicy,
  provider,
  scheduleDay,
  slotCode,
} from '../src/schema.ts';
import type { PatientId } from '../src/security/sessions.store.ts';

const TYPES = SPECIFIED_TYPES.filter(({ code }) => !['M', 'G', 'F'].includes(code));
const CHARGES: Readonly<Partial<Record<string, number>>> = {
  PP: 7_500,
  V: 20_000,
  D: 15_000,
};

/** 08:00-12:00 and 13:00-18:00, hour by hour, as the practice clinic has it. */
const HOURS: readonly (readonly [number, string])[] = [
  [8, 'O'],
  [9, 'P'],
  [10, 'D'],
  [11, 'O'],
  [13, 'V'],
  [14, 'P'],
  [15, 'I'],
  [16, 'D'],
  [17, 'Q'],
];
export const CLINIC_DAY = dayTemplate(
  HOURS.map(([hour, code]) => ({ from: hour * 12, to: (hour + 1) * 12, code })),
);

export interface ProviderToBe {
  readonly id: string;
  readonly firstName?: string;
  readonly status?: string;
  readonly policy?: Partial<typeof providerPolicy.$inferInsert>;
  readonly codes?: string;
}

export interface ClinicToBe {
  readonly providers?: readonly ProviderToBe[];
  readonly from?: ClinicDate;
  readonly days?: number;
}

/** Providers, types, fees and expanded days: what a booking needs of a clinic. */
export async function aClinic(
  database: Database,
  { providers = [{ id: '101' }], from = toClinic(NOW).date, days = 14 }: ClinicToBe = {},
): Promise<void> {
  const eligibilities: readonly Eligibility[] = ['E', 'NR', 'R', 'NE'];
  await database.inTransaction(async (tx) => {
    await tx.insert(provider).values(
      providers.map(({ id, firstName = 'Amelia', status = '1' }) => ({
        id,
        firstName,
        lastName: `Stone${id}`,
        status,
      })),
    );
    for (const { id, policy } of providers)
      if (policy) await tx.insert(providerPolicy).values({ ...policy, providerId: id });
    // What its codes serve a person has said.
    await tx.update(slotCode).set({ bound: true });
    await tx.insert(appointmentType).values(TYPES.map((type, position) => ({ ...type, position })));
    await tx.insert(feePolicy).values(
      TYPES.flatMap(({ code: type }) =>
        eligibilities.map((eligibility) => ({
          type,
          eligibility,
          validFrom: '2026-01-01',
          chargeCents: CHARGES[type] ?? (eligibility === 'E' ? 0 : 1_000),
        })),
      ),
    );
    const dates = Array.from({ length: days }, (_, day) => addDays(from, day));
    for (const clinicDate of dates)
      await tx
        .insert(scheduleDay)
        .values(
          providers.map(({ id, codes = CLINIC_DAY }) => ({ clinicDate, providerId: id, codes })),
        );
  });
}

/** Patients of the clinic whom nothing restricts, unless said otherwise. */
export async function somePatients(
  database: Database,
  count: number,
  over: Partial<typeof patient.$inferInsert> = {},
): Promise<PatientId[]> {
  const rows = Array.from({ length: count }, (): typeof patient.$inferInsert => {
    const id = randomUUID();
    return {
      id,
      email: `${id}@practice.example`,
      passwordHash: 'none',
      recordId: `record-${id}`,
      firstName: 'Nell',
      lastName: 'Harper',
      sex: 'Female',
      birthDate: '1990-01-01',
      address: '1 Main Street',
      city: 'Vancouver',
      province: 'BC',
      postal: 'V5K 0A1',
      country: 'Canada',
      cardProvince: 'BC',
      eligibility: 'E',
      createdAt: NOW,
      ...over,
    };
  });
  await database.inTransaction((tx) => tx.insert(patient).values(rows));
  return rows.map(({ id }) => id as PatientId);
}

export async function aPatientRow(
  database: Database,
  over: Partial<typeof patient.$inferInsert> = {},
): Promise<PatientId> {
  const [id] = await somePatients(database, 1, over);
  return id as PatientId;
}

/** Stores a payment for an appointment, captured and at rest. */
export async function aPayment(
  database: Database,
  of: Pick<typeof payment.$inferInsert, 'patientId' | 'appointmentId' | 'amountCents'> &
    Partial<typeof payment.$inferInsert>,
): Promise<void> {
  const paid = { state: 'captured', paymentMethod: 'pm', createdAt: NOW, changedAt: NOW } as const;
  const id = randomUUID();
  await database.inTransaction((tx) =>
    tx.insert(payment).values({ ...paid, id, reference: id, ...of }),
  );
}
