import { type CallId, type DeskCallId } from '@clinic/contract';
import { toInstant } from '@clinic/domain';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PATIENT_EVENTS } from '../src/database/changes.store.ts';
import { appointments, expireHolds } from '../src/modules/appointments/index.ts';
import { closeTime, workOnClosing } from '../src/modules/closings/index.ts';
import { answerMessage } from '../src/modules/messages/index.ts';
import { sweepPayments } from '../src/modules/payments/index.ts';
import { patient } from '../src/schema.ts';
import { IDLE_LIMIT } from '../src/security/sessions.store.ts';
import { aStaffMember, askDesk, deskSession } from '../testing/desk.ts';
import { type AskOptions, ask, signIn } from '../testing/index.ts';
import { charge, intentOf, portsOf, practiceCard, privateAppointment } from '../testing/paying.ts';
import { type PerCall, everyCall, patientCalls } from './every-call.ts';
import { type OpenPage, type PatientEvent, haveHeard, openPage, shown } from './open-pages.ts';
import { type TwoPatients, slotOn, twoPatients } from './two-patients.ts';
import { validRequests } from './valid-requests.ts';
import { emrBook } from '../src/modules/emr/index.ts';

let clinic: TwoPatients;
/** Another device of the asker's, and a page of the other patient. */
let own: OpenPage;
let others: OpenPage;

async function open() {
  clinic = await twoPatients();
  await clinic.database.inTransaction((tx) =>
    tx.update(patient).set({ shouldUpdate: true }).where(eq(patient.id, clinic.asker.row.id)),
  );
  const url = await clinic.app.listen({ host: '127.0.0.1', port: 0 });
  own = await openPage(url, await signIn(clinic, clinic.asker.row));
  others = await openPage(url, clinic.other.token);
  await haveHeard(clinic, [own, others]);
  for (const { heard } of [own, others]) heard.clear();
}
async function close() {
  for (const { socket } of [own, others]) socket.close();
  await clinic.close();
}

const seen = async (token: string) =>
  Promise.all(PATIENT_EVENTS.map((event) => shown(clinic, token, event)));

/** What each call tells the patient's other pages; 'closed' where it ends their session. */
const tells: PerCall<readonly PatientEvent[] | 'closed'> = {
  getMe: [],
  checkNoPcp: [],
  listAppointments: [],
  listDoctors: [],
  getProvider: [],
  doctorStatus: [],
  doctorSchedule: [],
  earliestSlot: [],
  getPatientRecord: [],
  createBooking: ['appointments'],
  cancelAppointment: ['appointments'],
  placeHold: ['appointments'],
  readHold: [],
  releaseHold: ['appointments'],
  saveDraft: ['appointments'],
  charge: ['appointments'],
  appState: [],
  recordsStatus: [],
  getConfig: [],
  findDemographics: [],
  createDemographics: [],
  saveAgreement: [],
  saveMedicalProfile: ['account'],
  readMedicalProfile: [],
  reportProblem: [],
  saveError: [],
  listPharmacies: [],
  addPreferredPharmacy: ['account'],
  shouldUploadDocument: [],
  uploadDocuments: ['account'],
  exportData: [],
  listMessages: [],
  startMessage: ['messages'],
  readMessage: [],
  changeMessage: ['messages'],
  readAttachment: [],
  captchaChallenge: [],
  login: ['account'],
  updateMe: ['account'],
  confirmInformation: ['account'],
  listSessions: [],
  endSessions: 'closed',
  changePassword: 'closed',
  register: [],
  confirmEmail: [],
  resendConfirmation: [],
  validateRecovery: [],
  sendResetCode: [],
  readAccountLink: [],
  // The mailbox before confirmed the address already.
  acceptAccountLink: 'closed',
  answerAddressChange: [],
  resetPassword: 'closed',
  mintDashboardLink: [],
  logout: ['appointments', 'account'],
  renewSession: [],
};

const tell = (pages: readonly OpenPage[]) => pages.map(({ heard }) => [...heard].sort());

/** Does something and says what the own page and the other's were told; fails where either shows what is old. */
async function told(act: () => Promise<unknown>): Promise<[PatientEvent[], PatientEvent[]]> {
  const pages = [own, others] as const;
  const before = await Promise.all(pages.map(({ token }) => seen(token)));
  for (const { heard } of pages) heard.clear();
  await act();
  await haveHeard(clinic, pages);
  const after = await Promise.all(pages.map(({ token }) => seen(token)));
  for (const [at, { heard }] of pages.entries()) {
    const changed = PATIENT_EVENTS.filter((_, n) => before[at]?.[n] !== after[at]?.[n]);
    expect([...heard]).toEqual(expect.arrayContaining(changed));
  }
  return tell(pages) as [PatientEvent[], PatientEvent[]];
}

const granted = async (id: CallId) => {
  expect([id, (await ask(clinic, id, validRequests[id](clinic))).statusCode]).toEqual([id, 200]);
};
const callsThat = (does: (told: (typeof tells)[CallId]) => boolean) =>
  everyCall.map(({ id }) => id).filter((id) => does(tells[id]));

describe('What one device of a patient does', () => {
  beforeEach(open);
  afterEach(close);

  // Shows: S-12
  test.each(callsThat((events) => events !== 'closed' && events.length > 0))(
    'by %s reaches their other device, and nobody else',
    async (id) => {
      const events = PATIENT_EVENTS.filter((event) => tells[id].includes(event)).sort();
      expect(await told(() => granted(id))).toEqual([events, []]);
    },
  );

  test.each(callsThat((events) => events === 'closed'))(
    'by %s closes their other device, and tells nobody else',
    async (id) => {
      await granted(id);
      await own.closed;
      await haveHeard(clinic, [others]);
      expect(tell([others])).toEqual([[]]);
    },
  );

  test('is told to nobody where it changes nothing that a page shows', async () => {
    for (const id of callsThat(({ length }) => length === 0))
      expect([id, await told(() => granted(id))]).toEqual([id, [[], []]]);
  });

  test('is told as soon as one has read an answer of the clinic, which the others show as unread', async () => {
    const by = { actor: 'clinic:desk', now: clinic.clock.now() };
    const answer = { text: 'Come in', files: [], staffId: null, requestKey: null, seen: null };
    const { message } = clinic.asker;
    expect(await told(() => answerMessage(clinic.platform, message, answer, by))).toEqual([
      ['messages'],
      [],
    ]);
    expect(await told(() => granted('readMessage'))).toEqual([['messages'], []]);
    expect(await told(() => granted('readMessage'))).toEqual([[], []]);
  });
});

describe('What others do to what is a patient’s', () => {
  beforeAll(open);
  afterAll(close);
  const APPOINTMENTS = [['appointments'], []];
  const OFFER = [['account', 'appointments'], []];

  // Shows: S-12, S-18
  test('at the front desk reaches their pages, and nobody else’s', async () => {
    const cookie = await deskSession(clinic, await aStaffMember(clinic, 'manager'));
    const desk = (id: DeskCallId, params: Record<string, string>, body: object) => async () => {
      const response = await askDesk(clinic, id, { cookie, params, body });
      expect([id, response.statusCode]).toEqual([id, 200]);
    };
    const { row, appointment } = clinic.asker;
    const start = toInstant('2026-11-30', '08:00');
    const slot = { type: 'O', providerId: '101', start };
    const book = desk('deskBook', { id: row.id }, slot);
    expect(await told(book)).toEqual(APPOINTMENTS);
    const moved = { providerId: '101', start: start + 300, wantedBy: 'patient' };
    expect(await told(desk('deskMoveAppointment', { id: appointment }, moved))).toEqual(
      APPOINTMENTS,
    );
    const block = desk('deskBlockPatient', { id: row.id }, { block: 'booking', reason: 'Talk' });
    expect(await told(block)).toEqual(OFFER);
    const types = desk('deskChangePatient', { id: row.id }, { withoutTypes: ['P'] });
    expect(await told(types)).toEqual(OFFER);
    const unblock = desk('deskBlockPatient', { id: row.id }, { block: 'none' });
    expect(await told(unblock)).toEqual(OFFER);
  });

  test('by jobs and operators reaches their pages, and nobody else’s', async () => {
    const { platform, clock } = clinic;
    const now = () => clock.now();
    const booking = { ...platform, appointments, emrBook };
    const operator = { actor: 'clinic:operator', now: now() };
    const end = { providerIds: ['101'], from: toInstant('2026-11-30', '08:00') };
    await closeTime(platform, { ...end, to: end.from + 1_800, requestKey: 'closing' }, operator);
    expect(await told(() => workOnClosing(booking))).toEqual(APPOINTMENTS);
    const { token } = clinic.asker;
    const held = await ask(clinic, 'placeHold', { token, body: slotOn('2026-11-27', '08:10') });
    expect(held.statusCode).toBe(200);
    clock.advance(601);
    const lapse = () => expireHolds(booking, now());
    expect(await told(lapse)).toEqual([['appointments'], ['appointments']]);
  });

  // Shows: R-40
  test('at the bank reaches their pages once the card company has told of it', async () => {
    const { token } = clinic.asker;
    const body = privateAppointment({ payment_method_id: practiceCard('needsBank') });
    const charged = await charge(clinic, token, body);
    await clinic.gateway.decide(intentOf(charged), true);
    const sweep = async () => {
      clinic.clock.advance(130);
      await sweepPayments(portsOf(clinic));
    };
    expect(await told(sweep)).toEqual(APPOINTMENTS);
  });
});

/** Tables with rows of patients that no page of theirs shows, and what keeps it true. */
const NOT_SHOWN = {
  account_link: 'mailed; what it changes is the account',
  agreement: 'asked for each time, shown in the copy of the data alone',
  email_change: 'what waits is told by email; what it changes is the account',
  emr_unclear_record: 'what staff are to decide of a record and a chart',
  known_device: 'a cookie of a browser',
  likely_pair: 'what staff are shown of two records',
  one_time_code: 'mailed',
  patient_change: 'notes the changes themselves',
  problem_report: 'nobody answers it',
  record_contact: 'what staff note for themselves',
  record_merge: 'what it changes are appointments and the account',
  record_note: 'what staff note for themselves',
  refused_sign_up: 'has no account; the front desk calls',
  wish: 'what staff note for themselves',
};

test('A table with rows of patients notes their changes, or is one that no page shows', async () => {
  await open();
  const { rows } = await clinic.database.db.execute<{ name: string; notes: boolean }>(sql`
    select c.table_name as name, bool_or(t.tgname is not null) as notes
      from information_schema.columns c
      left join pg_trigger t on t.tgrelid = c.table_name::regclass
                            and t.tgname like '%_tells_patient'
     where c.table_schema = current_schema() and c.column_name in ('patient_id', 'record_id')
     group by 1 order by 1`);
  expect(rows.filter(({ notes }) => !notes).map(({ name }) => name)).toEqual(
    Object.keys(NOT_SHOWN),
  );
  await close();
});

// Shows: R-3
test('A read that a page sends by itself keeps no idle session alive, whichever it is', async () => {
  await open();
  const reads = patientCalls.filter(({ method }) => method === 'GET').map(({ id }) => id);
  const sent = async (headers: Record<string, string>) => {
    const sessions = new Map<CallId, string>();
    for (const id of reads) sessions.set(id, await signIn(clinic, clinic.asker.row));
    clinic.clock.advance(IDLE_LIMIT - 1);
    for (const [id, token] of sessions) {
      const request: AskOptions = validRequests[id](clinic);
      const marked = { ...request, token, headers: { ...request.headers, ...headers } };
      expect([id, (await ask(clinic, id, marked)).statusCode]).toEqual([id, 200]);
    }
    clinic.clock.advance(1);
    const alive = new Set<number>();
    for (const token of sessions.values())
      alive.add((await ask(clinic, 'getMe', { token, headers })).statusCode);
    return [...alive];
  };
  expect(await sent({ 'x-background': '1' })).toEqual([401]);
  expect(await sent({})).toEqual([200]);
  await close();
});
