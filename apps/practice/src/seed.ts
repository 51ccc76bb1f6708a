import { toClinic } from '@clinic/domain';
import { eq } from 'drizzle-orm';
import { codesOn } from '@clinic/service/modules/records/expand-schedule.ts';
import type { Database } from '@clinic/service/database/db.ts';
import type { Keyring } from '@clinic/service/security/keyring.ts';
import { hashPassword } from '@clinic/service/security/password-hash.ts';
import {
  appointmentType,
  feePolicy,
  installation,
  providerPolicy,
  patientRecord,
  recordsException,
  recordsProvider,
  recordsTemplate,
  pharmacy,
} from '@clinic/service/schema.ts';
import type { Ids } from '@clinic/service/server/ids.ts';
import { insertAccounts } from './insert-accounts.ts';
import { insertAppointments } from './insert-appointments.ts';
import { otherRecords, otherAppointments } from './other-bookings.ts';
import { pharmacyRows } from './pharmacies.ts';
import { exceptionRows, policyRows, providerRows, templateRows } from './providers.ts';
import { feeRows, typeRows } from './types-and-fees.ts';
import { accountAppointments } from './appointments.ts';

const SEEDED = 'practice-seeded-at';
const PASSWORD = 'Practice-2026';
/** Fees hold for past appointments too. */
const FEES_SINCE = '2020-01-01';

export interface SeedParts {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly ids: Ids;
}

/** Fills a new practice clinic, once and for all, around the moment of its first start. */
export async function seedPracticeClinic(
  { database, keyring, ids }: SeedParts,
  now: number,
): Promise<'seeded' | 'seeded before'> {
  const before = await database.db.select().from(installation).where(eq(installation.key, SEEDED));
  if (before.length > 0) return 'seeded before';
  const today = toClinic(now).date;
  const passwordHash = await hashPassword(PASSWORD);
  const templates = templateRows(today);
  const exceptions = exceptionRows(today);
  const codes = (providerId: string, date: string) =>
    codesOn(date, providerId, templates, exceptions);

  await database.inTransaction(async (tx) => {
    await tx.insert(recordsProvider).values(providerRows());
    await tx.insert(providerPolicy).values(policyRows());
    await tx.insert(recordsTemplate).values(templates);
    await tx.insert(recordsException).values(exceptions);
    await tx.insert(appointmentType).values(typeRows());
    await tx.insert(feePolicy).values(feeRows(FEES_SINCE));
    await tx.insert(pharmacy).values(pharmacyRows());
    await tx.insert(patientRecord).values(otherRecords());
    const patients = await insertAccounts(tx, keyring, ids, passwordHash, now);
    const appointments = accountAppointments(patients, codes, now);
    const active = providerRows().filter(({ status }) => status === '1');
    const others = otherAppointments(
      active.map(({ id }) => id),
      codes,
      today,
      appointments,
    );
    await insertAppointments(tx, ids, [...appointments, ...others], now);
    await tx.insert(installation).values({ key: SEEDED, value: String(now) });
  });
  return 'seeded';
}
