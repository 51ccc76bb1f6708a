import type { PatientId, SignedIn } from '../src/security/sessions.store.ts';
import { type PatientOptions, type PatientRow, aClinic, aPatient } from './rows.ts';
import { type TestApp, testApp } from './test-app.ts';

type Parts = Pick<TestApp, 'platform' | 'clock' | 'database'>;

/** A session without the captcha; its token goes into `x-access-token`. */
export function signIn(
  { platform, clock, database }: Parts,
  patient: { readonly id: string },
): Promise<string> {
  return database.inTransaction((tx) => platform.sessions.start(tx, patient.id, clock.now()));
}

/** The branded id that stores take: only a session makes one. */
export async function signedInAs(
  parts: Parts,
  patient: { readonly id: string },
): Promise<SignedIn & { readonly id: PatientId }> {
  const token = await signIn(parts, patient);
  const found = await parts.platform.sessions.find(token, parts.clock.now());
  if (found.kind === 'none') throw new Error('This patient cannot have a session');
  return found.patient;
}

/** A clinic, and a patient of it who is signed in. */
export async function patientClinic(
  over: PatientOptions = {},
): Promise<{ readonly clinic: TestApp; readonly patient: PatientRow; readonly token: string }> {
  const clinic = await testApp();
  await aClinic(clinic);
  const patient = await aPatient(clinic, over);
  return { clinic, patient, token: await signIn(clinic, patient) };
}
