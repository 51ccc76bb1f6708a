import { deskCalls } from '@clinic/contract';
import { currentAgreement } from '@clinic/contract/agreements';
import { STAFF_ROLES, type StaffRole, addDays, may, startOfDay, toClinic } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeTime } from '../src/modules/appointments/index.ts';
import { storeFile } from '../src/modules/documents/index.ts';
import type { PatientId } from '../src/security/sessions.store.ts';
import { LOCK_AFTER } from '../src/modules/staff/sessions.store.ts';
import { mergePatients } from '../src/modules/patients/index.ts';
import type { RecordId } from '../src/modules/records/emr.ts';
import { insertRecord } from '../src/modules/records/index.ts';
import { problemReport, recordMerge } from '../src/schema.ts';
import {
  type DeskOptions,
  aStaffMember,
  askDesk,
  codeAt,
  deskRequest,
  deskSession,
} from '../testing/desk.ts';
import { aPatient, aPicture, ask, requestOf } from '../testing/index.ts';
import { patientCalls } from './every-call.ts';
import { everyRow } from './rows-of.ts';
import { type TwoPatients, twoPatients } from './two-patients.ts';

type DeskCall = (typeof deskCalls)[keyof typeof deskCalls];
const everyDeskCall: readonly DeskCall[] = Object.values(deskCalls);
const staffCalls = everyDeskCall.flatMap((call) =>
  typeof call.access === 'string' ? [] : [{ id: call.id, privilege: call.access.staff }],
);
const writes = everyDeskCall.filter(({ method }) => method !== 'GET');

let clinic: TwoPatients;
let someStaff: string;
let closing: string;
let suggestion: string;
/** A health card that the other patient sent. */
let document: string;
/** A record without an account, and a merge of two. */
let spare: string;
let merged: string;
/** An account that is nobody's in the other tests. */
let leaving: string;
beforeAll(async () => {
  clinic = await twoPatients();
  // What it does for an earlier row of the matrix is not the doing of a later one.
  await clinic.app.stopJob('closings');
  const card = { name: 'card.png', mediaType: 'image/png', bytes: aPicture().bytes };
  const patientId = clinic.other.row.id as PatientId;
  document = await clinic.database.inTransaction((tx) =>
    storeFile(clinic.platform, tx, { ...card, patientId, purpose: 'healthCard', now: NOW }),
  );
  leaving = (await aPatient(clinic.platform)).id;
  spare = await aRecord('MATRIX1');
  const operator = { actor: 'clinic:operator', now: clinic.clock.now() };
  await mergePatients(
    clinic.platform,
    await aRecord('MATRIX2'),
    await aRecord('MATRIX3'),
    operator,
  );
  const [merge] = await clinic.database.db.select().from(recordMerge);
  merged = merge?.id ?? '';
  someStaff = (await aStaffMember(clinic, 'auditor')).id;
  const who = { actor: 'clinic:operator', now: clinic.clock.now() };
  closing = (await closeTime(clinic.platform, { ...aFarDay(), requestKey: 'matrix' }, who)) ?? '';
  const { token } = clinic.other;
  const body = { dataURL: '', message: 'Larger print', isAppointment: false };
  await ask(clinic, 'reportProblem', { token, body });
  const [sent] = await clinic.database.db.select().from(problemReport);
  suggestion = sent?.id ?? '';
});
async function aRecord(id: string): Promise<string> {
  const who = { id: id as RecordId, firstName: 'Ola', lastName: 'Berg', birthDate: '1951-03-02' };
  const record = { ...who, cardProvince: 'Other' as const, cardNumber: '', providerId: '-1' };
  await clinic.database.inTransaction((tx) => insertRecord(tx, clinic.keyring, record));
  return id;
}
/** On which nobody has an appointment. */
function aFarDay() {
  const from = startOfDay(addDays(toClinic(clinic.clock.now()).date, 80));
  return { providerIds: ['101'], from, to: from + 3_600 };
}
afterAll(() => clinic.close());

/** Nothing that a matrix row did may keep the next from meaning what it says. */
const requests: Readonly<Record<DeskCall['id'], () => DeskOptions>> = {
  deskSignIn: () => ({
    body: { email: 'nobody@clinic.example', password: 'wrong', code: '000000' },
  }),
  deskAskPasskey: () => ({ body: { email: 'nobody@clinic.example' } }),
  deskReadInvitation: () => ({ body: { token: 'A'.repeat(43) } }),
  deskAcceptInvitation: () => ({
    body: { token: 'A'.repeat(43), password: 'Kettle-and-Fern', code: '000000' },
  }),
  deskSession: () => ({}),
  deskLock: () => ({}),
  deskUnlock: () => ({ body: { secret: codeAt(clinic.clock.now()) } }),
  deskSignOut: () => ({}),
  deskAskOwnPasskey: () => ({}),
  deskPasskeys: () => ({}),
  deskAskNewPasskey: () => ({}),
  deskAddPasskey: () => ({
    body: { name: 'Phone', id: 'AAAA', clientDataJSON: 'e30', attestationObject: 'oA' },
  }),
  deskRemovePasskey: () => ({ params: { id: crypto.randomUUID() } }),
  deskDay: () => ({ params: { date: '2026-11-21' } }),
  deskOpenAppointment: () => ({
    params: { id: clinic.other.appointment },
    body: { lookReason: 'patientCalled' },
  }),
  deskNoteAttendance: () => ({
    params: { id: clinic.other.appointment },
    body: { to: 'arrived' },
  }),
  deskCancelAppointment: () => ({
    params: { id: clinic.other.cancelled },
    body: { wantedBy: 'clinic' },
  }),
  deskBookingOptions: () => ({ params: { id: clinic.other.row.id } }),
  deskFreeTimes: () => ({
    params: { id: clinic.other.row.id },
    body: { type: 'O', from: '2026-11-23' },
  }),
  deskBook: () => ({
    params: { id: clinic.other.row.id },
    body: { type: 'O', providerId: '101', start: clinic.clock.now() },
  }),
  deskMoveAppointment: () => ({
    params: { id: clinic.other.appointment },
    body: { providerId: '101', start: clinic.clock.now() },
  }),
  deskPayAtClinic: () => ({ params: { id: clinic.other.cancelled } }),
  deskConsents: () => ({ params: { id: clinic.other.appointment } }),
  deskNoteConsents: () => {
    const { kind, version, hash } = currentAgreement('general');
    const texts = [{ kind, version, hash }];
    return { params: { id: clinic.other.appointment }, body: { texts } };
  },
  deskTakeFee: () => ({ params: { id: clinic.other.appointment }, body: { means: 'cash' } }),
  deskFeeBack: () => ({
    params: { id: clinic.other.appointment },
    body: { means: 'cash', reason: 'mistake' },
  }),
  deskClosings: () => ({}),
  deskForeseeClosing: () => ({ body: aFarDay() }),
  deskCloseTime: () => ({ body: aFarDay() }),
  deskClosing: () => ({ params: { id: closing } }),
  deskReopenTime: () => ({ params: { id: closing } }),
  deskWeek: () => ({ params: { providerId: '101' }, query: { on: '2026-11-21' } }),
  deskSaveWeek: () => ({
    params: { providerId: '101' },
    body: { validFrom: '2027-01-04', week: Array<string>(7).fill('O'.repeat(288)) },
  }),
  deskSingleDay: () => ({ params: { providerId: '101', date: '2027-01-04' } }),
  deskSaveDay: () => ({
    params: { providerId: '101', date: '2027-01-04' },
    body: { codes: 'O'.repeat(288) },
  }),
  deskMoney: () => ({ query: { from: '2026-11-01', to: '2026-11-30' } }),
  deskRefund: () => ({
    params: { id: clinic.other.payment },
    body: { reason: 'goodwill' },
  }),
  deskReconcile: () => ({ body: { days: 7 } }),
  deskReports: () => ({ query: { from: '2026-11-01', to: '2026-11-30' } }),
  deskStatistics: () => ({ body: { from: '2026-11-01', to: '2026-11-30' } }),
  deskSetUp: () => ({}),
  deskStaffList: () => ({}),
  deskResetFactor: () => ({ params: { id: someStaff } }),
  deskCloseStaff: () => ({ params: { id: someStaff } }),
  deskTexts: () => ({}),
  deskText: () => ({ params: { kind: 'general' } }),
  deskPublishText: () => ({
    params: { kind: 'general' },
    body: {
      seen: '1.0',
      texts: [{ locale: 'en', title: 'Clinic policy', text: 'Fees are non-refundable.' }],
      isPreview: false,
    },
  }),
  deskMaintenance: () => ({ body: { isOffline: false } }),
  deskExportTable: () => ({ params: { what: 'fees' } }),
  deskImportTable: () => ({
    params: { what: 'pharmacies' },
    body: { file: Buffer.from('id,name').toString('base64') },
  }),
  deskFindPatients: () => ({ body: { text: 'Morgan' } }),
  deskInbox: () => ({}),
  deskMessageCounts: () => ({}),
  deskOpenMessage: () => ({ params: { id: clinic.other.message } }),
  deskReadAttachment: () => ({ params: { id: clinic.other.attachment } }),
  deskAnswerMessage: () => ({
    params: { id: clinic.other.message },
    body: { message: 'Please come in.', seen: 'before' },
  }),
  deskNoteMessage: () => ({
    params: { id: clinic.other.message, noteId: crypto.randomUUID() },
    body: { text: 'Called back.' },
  }),
  deskAssignMessage: () => ({ params: { id: clinic.other.message }, body: { staffId: null } }),
  deskCloseMessage: () => ({
    params: { id: clinic.other.message },
    body: { isClosed: true, seen: 'before' },
  }),
  deskSavedReplies: () => ({}),
  deskKeepReply: () => ({
    params: { id: crypto.randomUUID() },
    body: { name: 'Walk-in', text: 'We are open until five.', seen: null },
  }),
  deskDropReply: () => ({ params: { id: crypto.randomUUID() } }),
  deskAuditTrail: () => ({ body: { patientId: clinic.other.row.id } }),
  deskAuditStaff: () => ({}),
  deskExportAudit: () => ({ body: { patientId: clinic.other.row.id } }),
  deskSuggestions: () => ({}),
  deskOpenSuggestion: () => ({ params: { id: suggestion } }),
  deskPatientsWaiting: () => ({}),
  deskOpenPatient: () => ({
    params: { id: clinic.other.row.id },
    body: { lookReason: 'patientCalled' },
  }),
  deskShowCard: () => ({
    params: { id: clinic.other.row.id },
    body: { lookReason: 'patientCalled' },
  }),
  deskOpenDocument: () => ({
    params: { id: document },
    body: { lookReason: 'patientCalled' },
  }),
  deskDecideDocument: () => ({ params: { id: document }, body: { kind: 'accepted' } }),
  deskBlockPatient: () => ({ params: { id: clinic.other.row.id }, body: { block: 'none' } }),
  deskChangePatient: () => ({
    params: { id: clinic.other.row.id },
    body: { eligibility: 'E', withoutTypes: [] },
  }),
  deskCorrectPatient: () => ({
    params: { id: clinic.other.row.id },
    body: { checked: 'photoIdSeen', seen: 'before', ...CORRECT },
  }),
  deskCorrectEmail: () => ({
    params: { id: clinic.other.row.id },
    body: { checked: 'calledBack', email: `${crypto.randomUUID()}@test.example` },
  }),
  deskAddPatient: () => ({ body: { requestId: crypto.randomUUID(), ...CORRECT } }),
  deskInvitePatient: () => ({
    params: { id: clinic.other.row.id },
    body: { email: 'somebody@test.example' },
  }),
  deskForeseeMerge: () => ({ params: { id: clinic.other.row.recordId }, body: { other: spare } }),
  deskMergePatients: () => ({ params: { id: clinic.other.row.recordId }, body: { other: spare } }),
  deskUndoMerge: () => ({ params: { id: merged } }),
  deskCloseAccount: () => ({ params: { id: leaving } }),
  deskInvite: () => ({
    body: { email: `${crypto.randomUUID()}@clinic.example`, name: 'Kim Park', roles: ['auditor'] },
  }),
};
const CORRECT = { firstName: 'Quill', lastName: 'Zephyrine', birthDate: '1984-05-17' };
const asRole = async (role: StaffRole) => deskSession(clinic, await aStaffMember(clinic, role));

describe('The role matrix of the front desk (S-18)', () => {
  test('is of every call but the four that lead to a session', () => {
    const open = everyDeskCall.filter(({ access }) => access === 'public').map(({ id }) => id);
    expect(open).toEqual([
      'deskSignIn',
      'deskAskPasskey',
      'deskReadInvitation',
      'deskAcceptInvitation',
    ]);
  });

  // Shows: S-18
  test.each(
    STAFF_ROLES.flatMap((role) => staffCalls.map(({ id, privilege }) => ({ role, id, privilege }))),
  )('$role asks for $id', async ({ role, id, privilege }) => {
    const cookie = await asRole(role);
    const before = await everyRow(clinic);
    const response = await askDesk(clinic, id, { ...requests[id](), cookie });
    if (may(role, privilege)) {
      // A clinician is refused other providers' patients, and what is too early now is nobody's role.
      expect([200, 409]).toContain(response.statusCode);
    } else {
      expect({ status: response.statusCode, code: response.code() }).toEqual({
        status: 403,
        code: 'notAllowed',
      });
      expect(await everyRow(clinic)).toEqual(before);
    }
  });

  // Shows: S-18
  test.each(staffCalls)('a patient’s token does not open $id', async ({ id }) => {
    const { token } = clinic.asker;
    const before = await everyRow(clinic);
    for (const headers of [
      { 'x-access-token': token },
      { authorization: `Bearer ${token}` },
      { cookie: `desk=${token}` },
    ]) {
      const response = await askDesk(clinic, id, { ...requests[id](), headers });
      expect({ status: response.statusCode, code: response.code() }).toEqual({
        status: 401,
        code: 'deskSignedOut',
      });
    }
    expect(await everyRow(clinic)).toEqual(before);
  });

  // Shows: S-18
  test('a cookie of the front desk opens no call of the patients', async () => {
    const cookie = await asRole('manager');
    const before = await everyRow(clinic);
    const token = cookie.replace('desk=', '');
    for (const { id } of patientCalls) {
      expect({ id, status: (await ask(clinic, id, { headers: { cookie } })).statusCode }).toEqual({
        id,
        status: 401,
      });
      expect({ id, status: (await ask(clinic, id, { token })).statusCode }).toEqual({
        id,
        status: 401,
      });
    }
    expect(await everyRow(clinic)).toEqual(before);
  });
});

describe('A change at the front desk (S-18)', () => {
  // Shows: S-18
  test.each(writes)('$id comes from a page of ours, as JSON', async ({ id }) => {
    const cookie = await asRole('manager');
    const before = await everyRow(clinic);
    const asked = deskRequest(id, { ...requests[id](), cookie });
    const send = (headers: Record<string, string>) =>
      clinic.app.inject(requestOf(id, { ...asked, headers }));
    const headers = { ...asked.headers };
    const { origin: _, ...without } = headers;
    for (const sent of [
      without,
      { ...headers, origin: 'https://evil.example' },
      { ...headers, origin: 'null' },
    ]) {
      const response = await send(sent);
      expect(response.json()).toMatchObject({ extras: { code: 'notOurPage' } });
    }
    const asText = { ...headers, 'content-type': 'text/plain' };
    expect((await send(asText)).statusCode).toBe(415);
    expect(await everyRow(clinic)).toEqual(before);
  });

  // Shows: S-18
  test('and every look is refused behind a locked screen', async () => {
    const cookie = await asRole('manager');
    clinic.clock.advance(LOCK_AFTER);
    for (const { id, privilege } of staffCalls.filter((call) => call.privilege !== 'ownSession')) {
      const response = await askDesk(clinic, id, { ...requests[id](), cookie });
      expect({ privilege, status: response.statusCode, code: response.code() }).toEqual({
        privilege,
        status: 401,
        code: 'deskLocked',
      });
    }
  });
});
