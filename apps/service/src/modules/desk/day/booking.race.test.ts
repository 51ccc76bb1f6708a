import { currentAgreement } from '@clinic/contract/agreements';
import { toInstant } from '@clinic/domain';
import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { aStaffMember, askDesk, deskSession } from '../../../../testing/desk.ts';
import { aClinic, aPatient, testApp } from '../../../../testing/index.ts';
import { patientWaits, untilSomeWait } from '../../../../testing/patient-waits.ts';
import { testDatabaseUrl } from '../../../../testing/test-database.ts';
import { databaseOn, sql } from '../../../database/db.ts';
import { openPostgres } from '../../../database/engine-postgres.ts';
import { agreement, audit } from '../../../schema.ts';

// Shows: R-98
test('Consents that two receptionists note at one moment are noted once', async () => {
  const url = await testDatabaseUrl();
  const database = databaseOn(openPostgres({ url, waits: patientWaits }));
  const clinic = await testApp({ database });
  onTestFinished(() => clinic.close());
  await aClinic(clinic);
  const casey = await aPatient(clinic);
  const aDesk = async () => deskSession(clinic, await aStaffMember(clinic, 'receptionist'));
  const desks = [await aDesk(), await aDesk()];
  const made = await askDesk(clinic, 'deskBook', {
    cookie: desks[0],
    params: { id: casey.id },
    body: { type: 'O', providerId: '101', start: toInstant('2026-11-23', '11:00') },
  });
  const { id } = made.answer().extras;
  const { kind, version, hash } = currentAgreement('general');
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = database.inTransaction(async (tx) => {
    await sql(tx)`select 1 from patient for update`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const body = { texts: [{ kind, version, hash }] };
  const asked = desks.map((cookie) =>
    askDesk(clinic, 'deskNoteConsents', { cookie, params: { id }, body }),
  );
  await untilSomeWait(database, 2);
  released.resolve();
  await holding;
  for (const noted of await Promise.all(asked)) noted.answer();
  expect(await database.db.select().from(agreement)).toHaveLength(1);
  const isNote = eq(audit.action, 'consents read out');
  expect(await database.db.select().from(audit).where(isNote)).toHaveLength(1);
});
