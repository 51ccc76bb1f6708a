import { afterEach, expect, test, vi } from 'vitest';
import { type TestApp, aClinic, aPatient, signIn, testApp } from '../../../testing/index.ts';
import { patientWaits, untilSomeWait } from '../../../testing/patient-waits.ts';
import { charge, paymentRows, practiceCard, privateAppointment } from '../../../testing/paying.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { type Part, databaseOn, part, sql } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import { RATES } from '../../server/rates.ts';

let clinic: TestApp;
async function open(waits = patientWaits) {
  const url = await testDatabaseUrl();
  clinic = await testApp({ database: databaseOn(openPostgres({ url, waits })) });
  await aClinic(clinic);
}
afterEach(() => clinic.close());

const everyOther = (table: string) => part`lock table ${part([table])} in exclusive mode`;

/** Locks until it is released. */
async function hold(lock: Part): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = clinic.database.inTransaction(async (tx) => {
    await sql(tx)`${lock}`;
    locked.resolve();
    await released.promise;
  });
  await Promise.race([locked.promise, holding]);
  return () => {
    released.resolve();
    return holding;
  };
}

// Shows: S-5, R-95
test.each([
  ['row of the patient', part`select 1 from patient for update`],
  ['table of payments', everyOther('payment')],
  ['trail, which is written at the end', everyOther('audit')],
])('A locked %s costs nobody a try of a card', async (_, lock) => {
  await open({ lockMs: 100, statementMs: 60_000 });
  const token = await signIn(clinic, await aPatient(clinic));
  const release = await hold(lock);
  const tries = Array.from({ length: RATES.chargePerAccount.count }, () =>
    charge(clinic, token, privateAppointment()),
  );
  expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(tries.map(() => 503));
  await release();
  const { status } = await charge(clinic, token, privateAppointment());
  expect(status).toBe(200);
  expect((await paymentRows(clinic)).map(({ state }) => state)).toEqual(['captured']);
});

// Shows: S-5, R-95
test('A charge that goes on after its answer uses up a try of a card', async () => {
  await open();
  const token = await signIn(clinic, await aPatient(clinic));
  const declined = (tries: number) => {
    const body = privateAppointment({ payment_method_id: practiceCard('declined') });
    return charge(clinic, token, body, { 'idempotency-key': `charge-${tries}` });
  };
  const release = await hold(everyOther('payment'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const first = declined(1);
    await untilSomeWait(clinic.database);
    vi.advanceTimersByTime(9_000);
    expect(await first).toMatchObject({ status: 503 });
  } finally {
    vi.useRealTimers();
  }
  await release();
  await Promise.all(clinic.app.callHost.goingOn);
  for (let tries = 2; tries <= RATES.chargePerAccount.count; tries++)
    expect((await declined(tries)).status).not.toBe(429);
  expect(await declined(RATES.chargePerAccount.count + 1)).toMatchObject({ status: 429 });
});
