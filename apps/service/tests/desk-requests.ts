import type { DeskCallId } from '@clinic/contract';
import { sql } from 'drizzle-orm';
import { currentAgreement } from '@clinic/contract/agreements';
import { addDays, startOfDay, toClinic } from '@clinic/domain';
import { NOW } from '@clinic/domain/testing';
import { closeTime, noteCall } from '../src/modules/closings/index.ts';
import { storeFile } from '../src/modules/documents/index.ts';
import { mergePatients, noteOnCard } from '../src/modules/patients/index.ts';
import { keepPairs } from '../src/modules/patients/likely.store.ts';
import type { RecordId } from '../src/modules/records/emr.ts';
import { insertRecord } from '../src/modules/records/index.ts';
import { insertAct } from '../src/modules/staff/acts.store.ts';
import { closingEntry, problemReport, recordMerge } from '../src/schema.ts';
import { STAFF_PASSWORD, type DeskOptions, aStaffMember, codeAt } from '../testing/desk.ts';
import { aProof, aPatient, aPicture, ask } from '../testing/index.ts';
import type { TwoPatients } from './two-patients.ts';

const CORRECT = { firstName: 'Quill', lastName: 'Zephyrine', birthDate: '1984-05-17' };

export type DeskRequests = Readonly<Record<DeskCallId, () => DeskOptions>>;

/** A request of every call of the front desk that its role may send, about the other patient. */
export async function deskRequests(clinic: TwoPatients): Promise<DeskRequests> {
  async function aRecord(id: string): Promise<string> {
    const who = { id: id as RecordId, firstName: 'Ola', lastName: 'Berg', birthDate: '1951-03-02' };
    const record = { ...who, cardProvince: 'Other' as const, cardNumber: '', providerId: '-1' };
    await clinic.database.inTransaction((tx) => insertRecord(tx, clinic.keyring, record));
    return id;
  }
  /** On which nobody has an appointment. */
  const aFarDay = () => {
    const from = startOfDay(addDays(toClinic(clinic.clock.now()).date, 80));
    return { providerIds: ['101'], from, to: from + 3_600 };
  };
  const card = { name: 'card.png', mediaType: 'image/png', bytes: aPicture().bytes };
  const patientId = clinic.other.row.id;
  const document = await clinic.database.inTransaction((tx) =>
    storeFile(clinic.platform, tx, { ...card, patientId, purpose: 'healthCard', now: NOW }),
  );
  const leaving = (await aPatient(clinic.platform)).id;
  const spare = await aRecord('MATRIX1');
  await clinic.database.inTransaction((tx) =>
    keepPairs(tx, [[clinic.other.row.recordId, spare]], NOW),
  );
  const operator = { actor: 'clinic:operator', now: clinic.clock.now() };
  await mergePatients(
    clinic.platform,
    await aRecord('MATRIX2'),
    await aRecord('MATRIX3'),
    operator,
  );
  const [merge] = await clinic.database.db.select().from(recordMerge);
  const merged = merge?.id ?? '';
  const someStaff = (await aStaffMember(clinic, 'auditor')).id;
  const who = { actor: 'clinic:operator', now: clinic.clock.now() };
  const closed = await closeTime(clinic.platform, { ...aFarDay(), requestKey: 'matrix' }, who);
  const closing = closed.kind === 'closed' ? closed.id : '';
  const entry = { closingId: closing, appointmentId: clinic.other.cancelled };
  await clinic.database.inTransaction((tx) =>
    tx.insert(closingEntry).values({ ...entry, outcome: 'cancelled', offered: [] }),
  );
  const call = crypto.randomUUID();
  await noteCall(clinic.platform, { ...entry, id: call, outcome: 'noAnswer' }, who);
  const stoppable = crypto.randomUUID();
  const askedAt = clinic.clock.now();
  await clinic.database.inTransaction((tx) =>
    insertAct(tx, {
      id: stoppable,
      act: 'export',
      askedBy: someStaff,
      askedAt,
      waitsUntil: askedAt + 86_400,
      asked: {},
      people: 201,
    }),
  );
  await clinic.database.db.execute(sql`
    insert into emr_gone select id, provider_id, start_s, 0, 0 from appointment
     where id = ${clinic.other.appointment}`);
  const { token } = clinic.other;
  const body = { dataURL: '', message: 'Larger print', isAppointment: false };
  await ask(clinic, 'reportProblem', { token, body });
  const [sent] = await clinic.database.db.select().from(problemReport);
  const suggestion = sent?.id ?? '';
  const note = crypto.randomUUID();
  const written = { id: note, of: 'note', kind: 'note', text: 'Uses a wheelchair.' } as const;
  await noteOnCard(clinic.platform, clinic.other.row.recordId, written, {
    ...who,
    staffId: someStaff,
  });
  // Nothing that one of them did may keep the next from meaning what it says.
  return {
    deskSignIn: () => ({
      body: {
        email: 'nobody@clinic.example',
        password: 'wrong',
        code: '000000',
        recaptcha: aProof(),
      },
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
    deskChangePassword: () => ({
      body: { currentPassword: STAFF_PASSWORD, newPassword: 'Walnut-and-Rain-7' },
    }),
    deskChooseLanguage: () => ({ body: { language: 'fr' } }),
    deskOwnSessions: () => ({}),
    deskEndOwnSessions: () => ({}),
    deskDay: () => ({ params: { date: '2026-11-21' } }),
    deskProviderWeek: () => ({ params: { providerId: '101', date: '2026-11-21' } }),
    deskCancelled: () => ({ params: { date: '2026-11-21' } }),
    deskPrintDay: () => ({ params: { date: '2026-11-21' } }),
    deskOwnDay: () => ({ params: { date: '2026-11-21' } }),
    deskSayLate: () => ({ body: { minutes: 20 } }),
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
    deskUndo: () => ({ params: { act: crypto.randomUUID() } }),
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
    deskWaiveFee: () => ({ params: { id: clinic.other.appointment }, body: { reason: 'other' } }),
    deskFeeBack: () => ({
      params: { id: clinic.other.appointment },
      body: { means: 'cash', reason: 'mistake' },
    }),
    deskStrikeFee: () => ({ params: { id: clinic.other.appointment }, body: { at: 1 } }),
    deskApplyFees: () => ({ body: { appointmentIds: [clinic.other.appointment] } }),
    deskWaiting: () => ({}),
    deskDecideGone: () => ({ params: { id: clinic.other.appointment }, body: { is: 'kept' } }),
    deskEmr: () => ({}),
    deskReadEmr: () => ({}),
    deskOutsideEmr: () => ({}),
    deskStop: () => ({ params: { id: stoppable } }),
    deskClosings: () => ({}),
    deskForeseeClosing: () => ({ body: aFarDay() }),
    deskForeseenPatients: () => ({ body: { ...aFarDay(), page: 1 } }),
    deskCloseTime: () => ({ body: aFarDay() }),
    deskClosing: () => ({ params: { id: closing } }),
    deskNoteCall: () => ({
      params: { id: closing, callId: crypto.randomUUID() },
      body: { appointmentId: clinic.other.cancelled, outcome: 'reached' },
    }),
    deskTakeBackCall: () => ({ params: { id: closing, callId: call } }),
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
    deskStaffSessions: () => ({ params: { id: someStaff } }),
    deskEndStaffSessions: () => ({ params: { id: someStaff } }),
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
    deskTable: () => ({ params: { what: 'fees' } }),
    deskExportTable: () => ({ params: { what: 'fees' } }),
    deskImportTable: () => ({
      params: { what: 'pharmacies' },
      body: { file: Buffer.from('id,name').toString('base64') },
    }),
    deskFindPatients: () => ({ body: { text: 'Morgan' } }),
    deskFindCharts: () => ({ body: { text: 'Morgan' } }),
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
    deskNoteContact: () => ({
      params: { id: clinic.other.row.id, entryId: crypto.randomUUID() },
      body: {
        kind: 'home',
        number: '604-555-0177',
        whose: 'Pat, her mother',
        preferred: true,
        mayLeaveMessage: false,
      },
    }),
    deskNoteOnCard: () => ({
      params: { id: clinic.other.row.id, entryId: crypto.randomUUID() },
      body: { kind: 'alert', text: 'Deaf in the left ear.' },
    }),
    deskNoteWish: () => ({
      params: { id: clinic.other.row.id, entryId: crypto.randomUUID() },
      body: { kind: 'followUp', type: 'O', providerId: null, from: null, to: null },
    }),
    deskStrikeOnCard: () => ({
      params: { id: clinic.other.row.id, entryId: note },
      body: { of: 'note', isStruck: true },
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
    deskDecideAddress: () => ({
      params: { id: clinic.other.row.id },
      body: { checked: 'photoIdSeen', counts: 'present' },
    }),
    deskLikelyPatients: () => ({ body: CORRECT }),
    deskOpenChart: () => ({ body: { chart: '12' } }),
    deskLikelyCharts: () => ({
      params: { id: clinic.other.row.id },
      body: { lookReason: 'patientCalled' },
    }),
    deskSeeToSignUp: () => ({ params: { id: clinic.other.row.id }, body: {} }),
    deskDecideChart: () => ({
      params: { id: clinic.other.row.id },
      body: { chart: null, apartFrom: [] },
    }),
    deskTellApart: () => ({ body: { one: clinic.other.row.recordId, other: spare } }),
    deskAddPatient: () => {
      const requestId = crypto.randomUUID();
      return { body: { requestId, ...CORRECT, firstName: `Nell ${requestId}` } };
    },
    deskInvitePatient: () => ({
      params: { id: clinic.other.row.id },
      body: { email: 'somebody@test.example' },
    }),
    deskForeseeMerge: () => ({ params: { id: clinic.other.row.recordId }, body: { other: spare } }),
    deskMergePatients: () => ({
      params: { id: clinic.other.row.recordId },
      body: { other: spare },
    }),
    deskUndoMerge: () => ({ params: { id: merged } }),
    deskCloseAccount: () => ({ params: { id: leaving } }),
    deskInvite: () => ({
      body: {
        email: `${crypto.randomUUID()}@clinic.example`,
        name: 'Kim Park',
        roles: ['auditor'],
      },
    }),
  };
}
