import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestApp, aClinic, aPatient, signIn, testApp } from '../../../testing/index.ts';
import { charge, paymentRows, privateAppointment } from '../../../testing/paying.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { databaseOn, part, sql } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import { RATES } from '../../server/rates.ts';

let clinic: TestApp;
beforeEach(async () => {
  const url = await testDatabaseUrl();
  const waits = { lockMs: 100, statementMs: 60_000 };
  clinic = await testApp({ database: databaseOn(openPostgres({ url, waits })) });
  await aClinic(clinic);
});
afterEach(() => clinic.close());

const everyOther = (table: string) => part`lock table ${part([table])} in exclusive mode`;

// Shows: S-5, R-95
test.each([
  ['row of the patient', part`select 1 from patient for update`],
  ['table of payments', everyOther('payment')],
  ['trail, which is written at the end', everyOther('audit')],
])('A locked %s costs nobody a try of a card', async (_, lock) => {
  const token = await signIn(clinic, await aPatient(clinic));
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = clinic.database.inTransaction(async (tx) => {
    await sql(tx)`${lock}`;
    locked.resolve();
    await released.promise;
  });
  await Promise.race([locked.promise, holding]);
  const tries = Array.from({ length: RATES.chargePerAccount.count }, () =>
    charge(clinic, token, privateAppointment()),
  );
  expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(tries.map(() => 503));
  released.resolve();
  await holding;
  const { status } = await charge(clinic, token, privateAppointment());
  expect(status).toBe(200);
  expect((await paymentRows(clinic)).map(({ state }) => state)).toEqual(['captured']);
});
