import { expect, onTestFinished, test } from 'vitest';

import { aClinic, aPatient, aPicture, ask, signIn, testApp } from '../../../testing/index.ts';
import { patientWaits, untilSomeWait } from '../../../testing/patient-waits.ts';
import { testDatabaseUrl } from '../../../testing/test-database.ts';
import { databaseOn } from '../../database/db.ts';
import { openPostgres } from '../../database/engine-postgres.ts';
import { documentsOfPatient, storeFile } from '../documents/index.ts';
import { decideDocument } from './documents.ts';
import { findAccount, updatePatient } from '../accounts/store.ts';

test('a health card that is just being sent stands, although the one before is refused', async () => {
  const url = await testDatabaseUrl();
  const database = databaseOn(openPostgres({ url, waits: patientWaits }));
  const clinic = await testApp({ database });
  onTestFinished(() => clinic.close());
  await aClinic(clinic);
  const { id, email } = await aPatient(clinic, { email: 'riley@test.example' });
  const token = await signIn(clinic, { id });
  const body = { isHealthCard: 'true' };
  await ask(clinic, 'uploadDocuments', { token, body, files: [aPicture()] });
  const [sent] = await documentsOfPatient(database.db, id);
  const [written, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { platform } = clinic;
  const now = clinic.clock.now();
  const { name, bytes } = aPicture();
  const card = { patientId: id, purpose: 'healthCard', now } as const;
  const sending = database.inTransaction(async (tx) => {
    await storeFile(platform, tx, { ...card, name, mediaType: 'image/png', bytes });
    await updatePatient(tx, id, { healthCardUploaded: true });
    written.resolve();
    await mayCommit.promise;
  });
  await written.promise;
  const decision = { kind: 'refused', reason: 'It cannot be read.' } as const;
  const deciding = decideDocument(platform, sent?.id ?? '', decision, { actor: 'test', now });
  await untilSomeWait(database);
  mayCommit.resolve();
  await sending;
  expect(await deciding).toBe('done');
  expect(await findAccount(database.db, { email })).toMatchObject({ healthCardUploaded: true });
});
