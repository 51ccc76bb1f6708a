import { toClinic } from '@clinic/domain';
import { eq } from 'drizzle-orm';
import { codesOn } from '../adapters/clinic-records-postgres/expand-schedule.ts';
import type { Database } from '../platform/db.ts';
import type { Keyring } from '../platform/keyring.ts';
import { hashPassword } from '../platform/password-hash.ts';
import {
  appointmentType,
  feePolicy,
  installation,
  providerPolicy,
  recordsChart,
  recordsException,
  recordsProvider,
  recordsTemplate,
} from '../platform/schema.ts';
import { pharmacy } from '../platform/schema-accounts.ts';
import type { Ids } from '../ports/ids.ts';
import { insertAccounts } from './insert-accounts.ts';
import { insertClaims } from './insert-claims.ts';
import { otherCharts, otherVisits } from './other-bookings.ts';
import { pharmacyRows } from './pharmacies.ts';
import { exceptionRows, policyRows, providerRows, templateRows } from './providers.ts';
import { feeRows, typeRows } from './types-and-fees.ts';
import { accountVisits } from './visits.ts';

const SEEDED = 'practice-seeded-at';
const PASSWORD = 'Practice-2026';
/** Fees hold for past visits too. */
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
    await tx.insert(recordsChart).values(otherCharts());
    const patients = await insertAccounts(tx, keyring, ids, passwordHash, now);
    const visits = accountVisits(patients, codes, now);
    const active = providerRows().filter(({ status }) => status === '1');
    const others = otherVisits(
      active.map(({ id }) => id),
      codes,
      today,
      visits,
    );
    await insertClaims(tx, ids, [...visits, ...others], now);
    await tx.insert(installation).values({ key: SEEDED, value: String(now) });
  });
  return 'seeded';
}
