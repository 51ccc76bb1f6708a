import { type DeskCallId, deskCalls } from '@clinic/contract';
import { type AgreementTextKind, type StaffRole, UNDO_SECONDS } from '@clinic/domain';
import { staff } from '../src/schema.ts';
import { hashPassword } from '../src/security/passwords.ts';
import { totpCode } from '../src/security/totp.ts';
import { sealSecret } from '../src/modules/staff/second-factor.ts';
import { createStaffSessions } from '../src/modules/staff/sessions.store.ts';
import { randomIds } from '../src/server/ports.ts';
import { realtimeOfOthers } from '../src/server/realtime.ts';
import { type Answered, type AskOptions, ask } from './ask.ts';
import { type PatientOptions, type PatientRow, aClinic, aPatient } from './rows.ts';
import { type TestApp, type TestAppOptions, testApp } from './test-app.ts';

export const STAFF_PASSWORD = 'Kettle-and-Fern-2026';
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/** The one-time code that an app shows at this moment. */
export const codeAt = (now: number, secret = SECRET): string => totpCode(secret, now);

export interface SomeStaff {
  readonly id: string;
  readonly email: string;
}

/** Somebody of the staff who can sign in. */
export async function aStaffMember(
  { database, keyring, clock }: Pick<TestApp, 'database' | 'keyring' | 'clock'>,
  role: StaffRole,
  over: Partial<typeof staff.$inferInsert> = {},
): Promise<SomeStaff> {
  const id = crypto.randomUUID();
  const email = `${role}-${id.slice(0, 8)}@clinic.example`;
  await database.inTransaction(async (tx) => {
    await tx.insert(staff).values({
      id,
      email,
      name: 'Robin Lee',
      roles: [role],
      providerId: role === 'clinician' ? '101' : null,
      passwordHash: await hashPassword(STAFF_PASSWORD, { memory: 8, passes: 1 }),
      totpSealed: sealSecret(keyring, id, SECRET),
      createdAt: clock.now(),
      ...over,
    });
  });
  return { id, email, ...over };
}

/** A cookie of the front desk, without the sign-in. */
export async function deskSession(
  { database, clock }: Pick<TestApp, 'database' | 'clock'>,
  { id }: Pick<SomeStaff, 'id'>,
): Promise<string> {
  const realtime = realtimeOfOthers(database);
  const sessions = createStaffSessions({ database, realtime, ids: randomIds });
  const token = await database.inTransaction((tx) => sessions.start(tx, id, clock.now()));
  return `desk=${token}`;
}

export interface DeskClinic {
  readonly clinic: TestApp;
  readonly casey: PatientRow;
  /** Whose session the cookie is. */
  readonly robin: SomeStaff;
  readonly cookie: string;
}

/** A clinic whose patient is Casey Morgan, and Robin Lee of its staff, signed in at the front desk. */
export async function deskClinic(
  role: StaffRole = 'receptionist',
  options: TestAppOptions & { readonly patient?: PatientOptions } = {},
): Promise<DeskClinic> {
  const { patient, ...service } = options;
  const clinic = await testApp(service);
  await aClinic(clinic);
  const casey = await aPatient(clinic, { firstName: 'Casey', lastName: 'Morgan', ...patient });
  const robin = await aStaffMember(clinic, role);
  return { clinic, casey, robin, cookie: await deskSession(clinic, robin) };
}

export interface DeskOptions extends AskOptions {
  readonly cookie?: string | undefined;
}

/** A request as the pages of the front desk send it. */
export function deskRequest(id: DeskCallId, { cookie, ...options }: DeskOptions = {}): AskOptions {
  if (deskCalls[id].method === 'GET')
    return { ...options, headers: { ...(cookie && { cookie }), ...options.headers } };
  // A form says itself what it is.
  const type = options.files === undefined && { 'content-type': 'application/json' };
  const own = { origin: 'http://127.0.0.1:3000', ...type };
  const headers = { ...own, ...(cookie && { cookie }), ...options.headers };
  return { body: {}, ...options, headers };
}

/** Asks the front desk over HTTP, and holds its answer against the contract. */
export async function askDesk<Id extends DeskCallId>(
  clinic: Pick<TestApp, 'app'>,
  id: Id,
  options: DeskOptions = {},
): Promise<Answered<Id> & { readonly code: () => string }> {
  const answered = await ask(clinic, id, deskRequest(id, options));
  return Object.assign(answered, { code: () => answered.refusal().extras.code });
}

/** a text of the clinic's own, published by a manager over the version that was seen. */
export async function aPublishedText(
  clinic: TestApp,
  kind: AgreementTextKind,
  text: { readonly seen: string; readonly texts: readonly object[] },
): Promise<void> {
  const cookie = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
  const body = { ...text, isPreview: false };
  (await askDesk(clinic, 'deskPublishText', { cookie, params: { kind }, body })).answer();
}

/** All emails, once nothing that was done at the desk can be undone any more. */
export async function mailsOfActs(clinic: TestApp): ReturnType<TestApp['mails']> {
  clinic.clock.advance(UNDO_SECONDS);
  return clinic.mails();
}
