import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DeskCallId } from '@clinic/contract';
import { aStaffMember, askDesk, deskSession } from '../../../testing/desk.ts';
import { type TestApp, testApp } from '../../../testing/index.ts';
import { patientWaits, untilSomeWait } from '../../../testing/patient-waits.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { databaseOn, sql } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import { listColleagues } from './store.ts';

let clinic: TestApp;
beforeEach(async () => {
  const url = await testDatabaseUrl();
  const database = databaseOn(openPostgres({ url, poolSize: 8, waits: patientWaits }));
  clinic = await testApp({ database });
});
afterEach(() => clinic.close());

// Shows: S-18
test.each<[DeskCallId, DeskCallId]>([
  ['deskCloseStaff', 'deskCloseStaff'],
  ['deskCloseStaff', 'deskResetFactor'],
])(
  'Of two managers who do %s and %s to each other at one moment, one is left',
  async (...calls) => {
    const { database } = clinic;
    const managers = [await aStaffMember(clinic, 'manager'), await aStaffMember(clinic, 'manager')];
    const cookies = await Promise.all(managers.map((each) => deskSession(clinic, each)));
    const locked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const holding = database.inTransaction(async (tx) => {
      await sql(tx)`set local idle_in_transaction_session_timeout = 0`;
      await sql(tx)`select 1 from staff for update`;
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    const asked = calls.map((call, at) =>
      askDesk(clinic, call, {
        cookie: cookies[at],
        params: { id: managers[1 - at]?.id ?? '' },
      }),
    );
    await untilSomeWait(database, 2);
    released.resolve();
    await holding;
    const answers = await Promise.all(asked);
    expect(
      answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other),
    ).toEqual([200, 401]);
    const left = (await listColleagues(database.db)).filter(
      ({ closedAt, hasPassword }) => closedAt === null && hasPassword,
    );
    expect(left).toHaveLength(1);
  },
);
